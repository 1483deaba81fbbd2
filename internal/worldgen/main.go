// Command worldgen writes a test world as JSON Lines to stdout, for benchmarks
// and for trying the program at scale:
//
//	go run ./internal/worldgen -events 200000 -seed 1 > world.jsonl
//
// The same flags give the same bytes. What is in the world is left to
// internal/testworld.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"bowerbird/internal/testworld"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "worldgen:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("worldgen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var o testworld.Options
	flags.Uint64Var(&o.Seed, "seed", 1, "other seeds give other worlds")
	flags.IntVar(&o.Events, "events", 5000, "how many events")
	flags.IntVar(&o.People, "people", 0, "how many people (0: one for 40 events, at least 60)")
	flags.IntVar(&o.Followed, "followed", 0, "how many of them the first one follows (0: a quarter)")
	flags.IntVar(&o.Days, "days", 10, "how many days they fill")
	flags.IntVar(&o.Planted, "planted", 20, "how many facts are planted")
	flags.IntVar(&o.Colluders, "colluders", 0, "how many strangers push one thing together")
	shape := flags.String("shape", testworld.Mixed.String(), fmt.Sprint("one of ", testworld.Shapes()))
	until := flags.String("until", "2026-01-01T00:00:00Z", "time of the end, RFC 3339")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if o.Now, err = time.Parse(time.RFC3339, *until); err != nil {
		return fmt.Errorf("read -until: %w", err)
	}
	if o.Shape, err = testworld.ParseShape(*shape); err != nil {
		return fmt.Errorf("read -shape: %w", err)
	}
	if o.People == 0 {
		o.People = max(60, o.Events/40)
	}
	w, err := testworld.WriteJSONL(ctx, stdout, o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(stderr, "me: %s; facts planted: %d\n", w.Me, len(w.Planted))
	return err
}
