package tools

import (
	"context"
	_ "embed"
	"time"
)

//go:embed current_time.md
var currentTimeDoc string

// CurrentTimeArgs are the arguments of current_time.
type CurrentTimeArgs struct {
	Zone string `json:"zone,omitempty" maxLength:"64" jsonschema:"IANA name; default the user's"`
}

// CurrentTimeResult is the answer of current_time.
type CurrentTimeResult struct {
	Time    string `json:"time"` // RFC 3339
	Unix    int64  `json:"unix"`
	Weekday string `json:"weekday"`
	Zone    string `json:"zone"`
}

func runCurrentTime(_ context.Context, env *Env, a CurrentTimeArgs) (CurrentTimeResult, error) {
	there, err := env.in(a.Zone)
	if err != nil {
		return CurrentTimeResult{}, err
	}
	now := there.now()
	zone := there.zone().String()
	if zone == "Local" { // the system's, which may have no other name
		zone = now.Format("MST")
	}
	return CurrentTimeResult{now.Format(time.RFC3339), now.Unix(), now.Weekday().String(), zone}, nil
}

// ForModel implements Result.
func (r CurrentTimeResult) ForModel(limit int) string {
	return Fit(limit, 0, func(_, _ int) any { return r })
}
