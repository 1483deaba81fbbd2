package question

// The bounds, for tests.
const (
	MaxQuestion = maxQuestion
	MaxWords    = maxWords
)
