package llm

// Source says by what something is known of a model.
type Source string

// The sources.
const (
	FromUser    Source = "user"    // the user set it
	FromServer  Source = "server"  // the server said it, asked about this model
	FromList    Source = "list"    // the server's list of models says it
	FromName    Source = "name"    // the model's name tells it
	FromRefusal Source = "refusal" // the server refused the other
	FromDefault Source = "default" // nobody said anything
)

// Facts are what a server told of a model. What it did not tell, or what cannot be
// true, is zero.
type Facts struct {
	Context     int     `json:"context,omitempty"`      // window in tokens
	MostContext int     `json:"most_context,omitempty"` // what the model could take: as much as Context, or more
	Tools       Says    `json:"tools,omitempty"`        // whether it takes tools
	Params      float64 `json:"params,omitempty"`       // 1e9 parameters
	Price       *Price  `json:"price,omitempty"`
	Elsewhere   bool    `json:"elsewhere,omitempty"` // the server passes what is asked on to another one
}

// What a model can be like. What a server says beyond it is not believed.
const (
	leastWindow = 1 << 10  // tokens
	mostWindow  = 16 << 20 // tokens
	leastParams = 1e-3     // 1e9 parameters
	mostCost    = 1e5      // US dollars per million tokens
)

// believed returns the facts without what cannot be true.
func (f Facts) believed() Facts {
	for _, n := range []*int{&f.Context, &f.MostContext} {
		if *n < leastWindow || *n > mostWindow {
			*n = 0
		}
	}
	if f.MostContext < f.Context {
		f.MostContext = 0
	}
	if !(f.Params >= leastParams && f.Params <= mostBillions) {
		f.Params = 0
	}
	if f.Price != nil && !f.Price.believable() {
		f.Price = nil
	}
	return f
}
