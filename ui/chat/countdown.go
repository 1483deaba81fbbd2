package chat

import (
	"time"

	"bowerbird/app/models"
	"bowerbird/ui/answers"
)

// count draws the seconds until the last question of the chat that is shown is asked
// again by itself, and asks it then. It does so only while the chat is shown.
func (s *Screen) count() {
	if s.counting || !s.open.again.Runs() {
		return
	}
	s.counting = true
	s.later(time.Second, func() {
		s.counting = false
		c := s.open
		switch {
		case s.ctx.Err() != nil || !c.again.Runs():
		case c.again.Left(c.engine.Now()) == 0:
			s.again(len(c.turns)-1, models.Choice{})
		default:
			s.refresh()
		}
	})
}

// countNoMore lets the question be asked again by nobody but the user.
func (s *Screen) countNoMore() {
	s.open.again = answers.Countdown{}
	s.refresh()
}

// left is how many seconds are counted for a turn; 0 where nothing is.
func (c *conversation) left(turn int) int {
	if turn != len(c.turns)-1 || c.running != nil || !c.again.Runs() {
		return 0
	}
	return max(1, c.again.Left(c.engine.Now()))
}
