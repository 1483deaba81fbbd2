package live

import (
	"context"
	"net"
	"slices"
	"strings"
	"time"
)

// networkEvery is how often it is looked whether the network has changed. Asking for
// the addresses costs some 50 microseconds.
const networkEvery = 10 * time.Second

// watchNetwork asks everything again when this computer gets other addresses: when a
// cable, a wireless network or a VPN came. What waits for minutes after the network
// was lost goes on then, and need not be told.
func (l *Live) watchNetwork(ctx context.Context) {
	opt := l.opt
	ticks := time.NewTicker(opt.NetworkEvery)
	defer ticks.Stop()
	for was := opt.Addresses(); ; {
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
		now := opt.Addresses()
		if now != was && now != "" {
			opt.Logger.Info("the network has changed", "addresses", now)
			l.Retry()
		}
		was = now
	}
}

// addresses names those of this computer in the networks that it is in; "" for none.
func addresses() string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	var names []string
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			names = append(names, a.String())
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}
