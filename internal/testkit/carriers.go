package testkit

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// Listener is a server that nobody has any business with.
type Listener struct {
	*httptest.Server
	came atomic.Int32
}

// StartListener starts a server that ends with the test.
func StartListener(t testing.TB) *Listener {
	t.Helper()
	l := &Listener{}
	l.Server = httptest.NewUnstartedServer(http.NotFoundHandler())
	l.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			l.came.Add(1)
		}
	}
	l.Start()
	t.Cleanup(l.Close)
	return l
}

// Came returns how many connections were made to it.
func (l *Listener) Came() int { return int(l.came.Load()) }

// Carriers returns texts that try to make whoever draws them fetch or open an address.
func Carriers(address string) []string {
	carriers := []string{
		"![x](ADDRESS)", "![x](<ADDRESS>)", "![](ADDRESS 'title')", "[![x](ADDRESS)](ADDRESS)", "![x][r]\n\n[r]: ADDRESS",
		"![r]\n\n[r]: ADDRESS", "<img src=\"ADDRESS\">", "<img src=ADDRESS onerror=alert(1)>", "<iframe src=\"ADDRESS\"></iframe>",
		"<script src=\"ADDRESS\"></script>", "<link rel=stylesheet href=\"ADDRESS\">", "<video src=\"ADDRESS\" autoplay></video>",
		"<audio src=\"ADDRESS\"></audio>", "<object data=\"ADDRESS\"></object>", "<embed src=\"ADDRESS\">", "<svg><image href=\"ADDRESS\"/></svg>",
		"<style>@import url(ADDRESS);</style>", "<p style=\"background:url(ADDRESS)\">x</p>", "<meta http-equiv=refresh content=\"0;url=ADDRESS\">",
		"<base href=\"ADDRESS\">", "<a href=\"ADDRESS\" ping=\"ADDRESS\">x</a>", "<picture><source srcset=\"ADDRESS\"></picture>",
		"[x](ADDRESS)", "<ADDRESS>", "ADDRESS", "[x]: ADDRESS\n\n[x]", "| ![x](ADDRESS) |\n|---|\n| <img src=ADDRESS> |",
		"- ![x](ADDRESS)\n  > ![x](ADDRESS)", "# ![x](ADDRESS)", "```ADDRESS\n![x](ADDRESS)\n```", "![x](data:text/html,<img src=ADDRESS>)",
		"<input type=image src=\"ADDRESS\">", "<body background=\"ADDRESS\">", "\\![x](ADDRESS)", "![x\n](ADDRESS)",
	}
	for i := range carriers {
		carriers[i] = strings.ReplaceAll(carriers[i], "ADDRESS", address)
	}
	return carriers
}
