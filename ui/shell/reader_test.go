package shell

import (
	"strings"
	"testing"

	"bowerbird/app"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/widgets"
)

func TestTheRailFollowsTheProfileOfWhoReads(t *testing.T) {
	st := startOwn(t)
	key := testkit.NewKey("ada")
	pk, err := nostr.ParsePubKey(key.PubKey)
	if err != nil {
		t.Fatal(err)
	}
	st.readAs(app.Person{PubKey: pk})
	st.wait("chat.entry")
	for i, name := range []string{"Ada", "Ada Lindqvist"} {
		e, err := nostr.ParseEvent(key.Event(t, 0, clock.Unix()-100+int64(i), `{"name":"`+name+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.session.app.Notes().Put(t.Context(), ndb.Batch{Events: []*nostr.Event{e}}); err != nil {
			t.Fatal(err)
		}
		st.until("the rail names "+name, func() bool {
			return len(st.rail.avatar.Objects) == 1 && strings.HasSuffix(st.rail.avatar.Objects[0].(*widgets.Tappable).Tip, " "+name)
		})
	}
}
