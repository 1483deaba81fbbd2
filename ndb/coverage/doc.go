// Package coverage judges how complete somebody's notes are. A relay that served
// everything it has of a person and a time span confirms an [Interval]; the store keeps
// these as [Row]s; and [Evidence] is the one place that judges what follows from them.
//
//	rows, err := store.Confirmed(ctx, author, coverage.Feed)
//	if err == nil {
//		verdict := coverage.Evidence{Rows: rows, Asked: relays}.Judge(from, to, now)
//		complete := verdict.State == coverage.Complete
//	}
package coverage
