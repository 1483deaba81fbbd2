package notesync

// Progress is how far a run is. Within a round the stages come in their order and
// not again; within one of them Windows stays, and Filled and Done only grow.
type Progress struct {
	Stage     string // "lists", "profiles", "notes", "context", "live"
	People    int    // whose notes are fetched; 0 until that is known
	Relays    int    // asked for notes; 0 until that is known
	Connected int    // relays that are connected now
	Windows   int    // stretches of time to fill in this stage, each at one relay
	Filled    int    // of them, filled or given up
	Done      int    // people of whom nothing is left to be filled, as far as it can be
	Stored    int    // events that were new
}

// The stages.
const (
	stageLists    = "lists"
	stageProfiles = "profiles"
	stageNotes    = "notes"
	stageContext  = "context"
	stageLive     = "live"
)

// report changes the progress and tells it, one call at a time.
func (r *run) report(change func(*Progress)) {
	r.telling.Lock()
	defer r.telling.Unlock()
	change(&r.progress)
	r.opt.Progress(r.progress)
}

// enter begins a stage.
func (r *run) enter(stage string, windows int) {
	r.report(func(p *Progress) { p.Stage, p.Windows, p.Filled = stage, windows, 0 })
}

// stored is how many events were new so far.
func (r *run) stored() int {
	r.telling.Lock()
	defer r.telling.Unlock()
	return r.progress.Stored
}
