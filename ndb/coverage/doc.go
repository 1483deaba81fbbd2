// Package coverage says how complete somebody's notes are. A relay that gave all it has of
// a person and a time confirms an [Interval]; the store keeps them as [Row]s; and [Evidence]
// is the one place where it is judged what follows from them.
//
//	rows, err := store.Confirmed(ctx, author, coverage.Feed)
//	if err == nil {
//		verdict := coverage.Evidence{Rows: rows, Asked: relays}.Judge(from, to, now)
//		complete := verdict.State == coverage.Complete
//	}
package coverage
