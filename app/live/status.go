package live

import (
	"time"

	"bowerbird/app/notesync"
	"bowerbird/ndb/nostr"
)

type liveState struct {
	stage    Stage
	trouble  Trouble
	err      error
	nextTry  time.Time
	lastSync time.Time
	days     int

	progress notesync.Progress // of the current session
	stored   int               // by the earlier sessions
	reached  bool              // the session had a connection

	me           nostr.PubKey // account of the current session
	first        bool
	people, done int
	share        float64
	left         estimate
}

func (s *liveState) rest(stage Stage) {
	s.stored += s.progress.Stored
	s.progress = notesync.Progress{}
	s.stage, s.trouble, s.err, s.nextTry, s.reached = stage, NoTrouble, nil, time.Time{}, false
}

// begin starts a session. A first sync that was interrupted continues with the figures that
// it has shown.
func (s *liveState) begin(me nostr.PubKey, first bool, days int) {
	s.rest(StageLists)
	if !first || !s.first || s.me != me {
		s.people, s.done, s.share, s.left = 0, 0, 0, estimate{}
	}
	s.me, s.first, s.days = me, first, days
}

func (s *liveState) fail(trouble Trouble, err error, next time.Time) {
	s.rest(StageWaiting)
	s.trouble, s.err, s.nextTry = trouble, err, next
}

// sharePrepared is the part of a first sync that finding out whom to ask counts for.
const sharePrepared = 0.05

func (s *liveState) advance(p notesync.Progress, now time.Time) {
	s.progress = p
	s.stage = Stage(p.Stage)
	s.reached = s.reached || p.Connected > 0
	if s.stage == StageLive && p.Connected > 0 {
		s.lastSync = now
	}
	if !s.first {
		return
	}
	s.people = max(s.people, p.People)
	switch s.stage {
	case StageNotes:
		s.done = max(s.done, min(p.Done, s.people))
		if s.people > 0 {
			s.share = max(s.share, sharePrepared, float64(s.done)/float64(s.people))
		}
		if p.Windows > 0 {
			s.left.update(float64(p.Filled)/float64(p.Windows), now)
		}
		if s.done == s.people && s.people > 0 {
			s.wholeFirst() // a silent relay may keep the session from ending for long
		}
	case StageContext, StageLive:
		s.wholeFirst()
	}
}

func (s *liveState) wholeFirst() {
	s.done, s.share, s.left, s.first = s.people, 1, estimate{}, false
}

func (s *liveState) status(now time.Time) Status {
	p := s.progress
	return Status{
		Stage: s.stage, Trouble: s.trouble, Err: s.err, NextTry: s.nextTry,
		Offline:   s.trouble == TroubleNet || s.reached && p.Connected == 0,
		Connected: p.Connected, Relays: max(p.Relays, p.Connected),
		LastSync: s.lastSync, Stored: s.stored + p.Stored, Days: s.days,
		// Without the account, as everywhere, though its notes are fetched too.
		First: s.first, People: max(s.people-1, 0), PeopleDone: max(s.done-1, 0), Share: s.share,
		Left: max(s.left.at(now), p.Left), Limited: p.Limited, PerMinute: p.PerMinute,
	}
}

// When an estimate of the time left becomes useful.
const (
	estimateAfter = 2 * time.Second
	estimatePart  = 0.05
)

// estimate estimates how long something still takes. It counts down with the clock and is
// corrected gradually, so that it does not jump.
type estimate struct {
	began, end, corrected time.Time
}

func (e *estimate) update(part float64, now time.Time) {
	if e.began.IsZero() {
		e.began = now
	}
	elapsed := now.Sub(e.began)
	if elapsed < estimateAfter || part < estimatePart {
		return
	}
	end := now.Add(time.Duration(float64(elapsed) * (1 - part) / part))
	if e.end.IsZero() {
		e.end, e.corrected = end, now
		return
	}
	// The longer the last correction is ago the more this one weighs, up to a half.
	weight := min(0.5, now.Sub(e.corrected).Seconds()/10)
	e.end = e.end.Add(time.Duration(weight * float64(end.Sub(e.end))))
	e.corrected = now
}

// at returns what is left at now, in readable steps of at least five seconds; 0 while there
// is no estimate.
func (e *estimate) at(now time.Time) time.Duration {
	if e.end.IsZero() {
		return 0
	}
	left, step := e.end.Sub(now), 30*time.Second
	switch {
	case left <= 20*time.Second:
		step = 5 * time.Second
	case left <= 2*time.Minute:
		step = 10 * time.Second
	}
	return max(left.Round(step), 5*time.Second)
}
