package testworld

import (
	"container/heap"
	"time"
)

// agenda holds what is to happen later, the earliest first.
type agenda struct {
	items dues
	seq   int
}

// due is one thing to happen, which makes exactly one event.
type due struct {
	at  time.Time
	seq int
	do  func(time.Time) error
}

func (a *agenda) len() int { return len(a.items) }

func (a *agenda) add(at time.Time, do func(time.Time) error) {
	a.seq++
	heap.Push(&a.items, due{at.Truncate(time.Second), a.seq, do})
}

// next takes the earliest thing that is due by now.
func (a *agenda) next(now time.Time) (due, bool) {
	if len(a.items) == 0 || a.items[0].at.After(now) {
		return due{}, false
	}
	return heap.Pop(&a.items).(due), true
}

// dues implements heap.Interface; equal times keep the order of adding.
type dues []due

func (d dues) Len() int      { return len(d) }
func (d dues) Swap(i, j int) { d[i], d[j] = d[j], d[i] }
func (d *dues) Push(x any)   { *d = append(*d, x.(due)) }

func (d dues) Less(i, j int) bool {
	if !d[i].at.Equal(d[j].at) {
		return d[i].at.Before(d[j].at)
	}
	return d[i].seq < d[j].seq
}

func (d *dues) Pop() any {
	last := (*d)[len(*d)-1]
	(*d)[len(*d)-1] = due{} // lets its function go
	*d = (*d)[:len(*d)-1]
	return last
}
