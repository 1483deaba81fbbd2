package pictures

import (
	"container/list"
	"image"
	"sync"
)

// memory keeps the most recently used pictures, up to a number of bytes.
type memory struct {
	mu    sync.Mutex
	most  int
	held  int
	order *list.List // of *kept, the most recently used first
	by    map[string]*list.Element
}

type kept struct {
	address string
	picture *image.RGBA
}

func newMemory(most int) *memory {
	return &memory{most: most, order: list.New(), by: map[string]*list.Element{}}
}

func (m *memory) get(address string) *image.RGBA {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.by[address]
	if e == nil {
		return nil
	}
	m.order.MoveToFront(e)
	return e.Value.(*kept).picture
}

func (m *memory) put(address string, p *image.RGBA) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(m.by[address])
	m.by[address] = m.order.PushFront(&kept{address, p})
	m.held += len(p.Pix)
	for m.held > m.most {
		m.drop(m.order.Back())
	}
}

func (m *memory) drop(e *list.Element) {
	if e == nil {
		return
	}
	k := m.order.Remove(e).(*kept)
	delete(m.by, k.address)
	m.held -= len(k.picture.Pix)
}

func (m *memory) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.order.Init()
	m.by = map[string]*list.Element{}
	m.held = 0
}
