package chats

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"
	"time"

	"bowerbird/app/agent"
	"bowerbird/llm"
)

// version is the version of records that this program writes. It reads records up to it.
const version = 1

// partSize keeps a part, with the seal before it, below the bucket's 512 KiB.
const partSize = 500 << 10

// header is a chat's first record.
type header struct {
	Version  int        `json:"v"`
	ID       string     `json:"id"`
	Title    string     `json:"title"`
	Created  time.Time  `json:"created"`
	Updated  time.Time  `json:"updated"`
	Turns    int        `json:"turns"`
	Tainted  bool       `json:"tainted"`
	Session  string     `json:"session,omitempty"`
	LeftOut  int        `json:"left_out,omitempty"`
	Bare     int        `json:"bare,omitempty"`
	Deleted  *time.Time `json:"deleted,omitempty"`
	Branch   *Origin    `json:"branch,omitempty"`
	State    State      `json:"state,omitempty"` // of the last turn
	Wordless bool       `json:"wordless,omitempty"`
	Answer   string     `json:"answer,omitempty"` // its first line
	Left     bool       `json:"left,omitempty"`
	Reader   string     `json:"reader,omitempty"`
	Usage    Usage      `json:"usage,omitzero"`
}

func (h header) info() Info {
	i := Info{
		ID: h.ID, Title: h.Title, Created: h.Created, Updated: h.Updated,
		Turns: h.Turns, Tainted: h.Tainted, Branch: h.Branch,
		State: h.State, Wordless: h.Wordless, Answer: h.Answer, Left: h.Left, Reader: h.Reader, Usage: h.Usage,
	}
	if h.Deleted != nil {
		i.Deleted = *h.Deleted
	}
	return i
}

// turnRecord is a turn as it is written.
type turnRecord struct {
	Version  int           `json:"v"`
	ID       string        `json:"id"`
	Question string        `json:"question"`
	Asked    time.Time     `json:"asked"`
	Model    string        `json:"model,omitempty"`
	Scope    Scope         `json:"scope,omitzero"`
	State    State         `json:"state"`
	Usage    Usage         `json:"usage,omitzero"`
	Events   keptEvents    `json:"events"`
	Messages []llm.Message `json:"messages"`
	Exact    []exactJSON   `json:"exact,omitempty"`
	// Whole and Ended are those of the conversation, if the turn was interrupted.
	Whole bool   `json:"whole,omitempty"`
	Ended string `json:"ended,omitempty"`
}

// keptEvents are the events of a turn. Events of types that only a newer program knows are
// skipped when they are read.
type keptEvents []agent.Event

// UnmarshalJSON reads the events of known types.
func (k *keptEvents) UnmarshalJSON(raw []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	*k = make(keptEvents, 0, len(list))
	for _, one := range list {
		var e agent.Event
		err := json.Unmarshal(one, &e)
		if errors.Is(err, agent.ErrUnknownEvent) {
			continue
		}
		if err != nil {
			return err
		}
		*k = append(*k, e)
	}
	return nil
}

func headerKey(id string) string   { return "c/" + id }
func turnsPrefix(id string) string { return "t/" + id + "/" }

func turnPrefix(id string, number int) string {
	return fmt.Sprintf("%s%06d/", turnsPrefix(id), number)
}

func partKey(id string, number, part int) string {
	return fmt.Sprintf("%s%03d", turnPrefix(id, number), part)
}

// encode writes a record as JSON without secrets.
func (s *Store) encode(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // fewer escapes are fewer places to look behind
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return s.opt.Redactor.JSON(bytes.TrimSpace(b.Bytes())), nil
}

// encodeTurn writes a turn's record.
func (s *Store) encodeTurn(r *turnRecord) ([]byte, error) {
	r.Exact = exactTexts(r.Messages)
	return s.encode(r)
}

func (s *Store) encodeHeader(h header) ([]byte, error) {
	raw, err := s.encode(h)
	if err != nil {
		return nil, fmt.Errorf("write the header of chat %q: %w", h.ID, err)
	}
	return raw, nil
}

func decodeHeader(key string, raw []byte) (header, error) {
	var h header
	if err := decode(key, raw, &h); err != nil {
		return header{}, err
	}
	if headerKey(h.ID) != key || !validID(h.ID) {
		return header{}, &DamagedError{key, fmt.Errorf("it names the chat %q", h.ID)}
	}
	return h, nil
}

// decode reads a record, its version first.
func decode(key string, raw []byte, into any) error {
	var v struct {
		Version int `json:"v"`
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return &DamagedError{key, err}
	}
	if v.Version > version {
		return &NewerError{key, v.Version, version}
	}
	if v.Version < 1 {
		return &DamagedError{key, errors.New("it has no version")}
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return &DamagedError{key, err}
	}
	return nil
}

// sealLine precedes the first part: the number of parts, the hash of what they hold
// together, and how that is packed.
type sealLine struct {
	Version int    `json:"v"`
	Parts   int    `json:"parts"`
	SHA256  string `json:"sha256"`
	Packed  string `json:"packed,omitempty"` // gzipped, or "" for plain JSON
}

// gzipped is how records are packed: they hold tools' results as JSON, which shrinks to an
// eighth, and a turn is written several times while it is answered.
const gzipped = "gzip"

// packer packs records. A gzip writer takes a megabyte, more than most records, so that it
// is reused. The zero value is ready; it may be used from any goroutine.
type packer struct {
	writers sync.Pool
}

func (p *packer) pack(raw []byte) ([]byte, error) {
	var b bytes.Buffer
	out, used := p.writers.Get().(*gzip.Writer)
	if used {
		out.Reset(&b)
	} else {
		var err error
		if out, err = gzip.NewWriterLevel(&b, gzip.BestSpeed); err != nil {
			return nil, err
		}
	}
	defer p.writers.Put(out)
	if _, err := out.Write(raw); err != nil {
		return nil, err
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// unpack reverses pack, for at most maxTurn bytes.
func unpack(packed []byte) ([]byte, error) {
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxTurn+1))
	if err == nil && len(raw) > maxTurn {
		err = fmt.Errorf("it unpacks to more than %d bytes", maxTurn)
	}
	return raw, err
}

// split returns a record's values, by key.
func (p *packer) split(id string, number int, record []byte) (map[string][]byte, error) {
	raw, err := p.pack(record)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(raw)
	parts := max((len(raw)+partSize-1)/partSize, 1)
	seal, err := json.Marshal(sealLine{version, parts, hex.EncodeToString(sum[:]), gzipped})
	if err != nil {
		return nil, err
	}
	values := make(map[string][]byte, parts)
	for i := range parts {
		part := raw[i*partSize : min((i+1)*partSize, len(raw))]
		if i == 0 {
			part = bytes.Join([][]byte{seal, part}, []byte("\n"))
		}
		values[partKey(id, number, i)] = part
	}
	return values, nil
}

// join reassembles a record from its parts, in order.
func join(key string, parts [][]byte) ([]byte, error) {
	line, first, found := bytes.Cut(parts[0], []byte("\n"))
	var seal sealLine
	if !found {
		return nil, &DamagedError{key, errors.New("it does not begin with its seal")}
	}
	if err := decode(key, line, &seal); err != nil {
		return nil, err
	}
	if seal.Parts < 1 || seal.Parts > len(parts) {
		return nil, &DamagedError{key, fmt.Errorf("%d of %d parts are there", len(parts), seal.Parts)}
	}
	// Parts beyond the seal are of a longer version of the turn.
	raw := bytes.Join(append([][]byte{first}, parts[1:seal.Parts]...), nil)
	if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != seal.SHA256 {
		return nil, &DamagedError{key, errors.New("its hash is another one")}
	}
	switch seal.Packed {
	case "":
		return raw, nil
	case gzipped:
		record, err := unpack(raw)
		if err != nil {
			return nil, &DamagedError{key, err}
		}
		return record, nil
	}
	return nil, &DamagedError{key, fmt.Errorf("it is packed in an unknown way, %q", seal.Packed)}
}

// rawTurn is a turn's record in parts.
type rawTurn struct {
	key   string // what its values' keys begin with
	parts [][]byte
}

// rawTurns yields the turns below a prefix, sorted by key.
func (s *Store) rawTurns(ctx context.Context, prefix string) iter.Seq2[rawTurn, error] {
	return func(yield func(rawTurn, error) bool) {
		var t rawTurn
		for row, err := range s.bucket.All(ctx, prefix) {
			if err != nil {
				yield(rawTurn{}, err)
				return
			}
			key := row.Key[:strings.LastIndexByte(row.Key, '/')+1]
			if key != t.key && t.parts != nil {
				if !yield(t, nil) {
					return
				}
				t.parts = nil
			}
			t.key, t.parts = key, append(t.parts, row.Value)
		}
		if t.parts != nil {
			yield(t, nil)
		}
	}
}

// Records yields each turn of each chat as JSON, including chats that were deleted but can
// be brought back. One that cannot be read yields an error, and the others follow. The
// slice is valid until the next one.
func (s *Store) Records(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for t, err := range s.rawTurns(ctx, "t/") {
			var record []byte
			if err == nil {
				record, err = join(t.key, t.parts)
			}
			if !yield(record, err) {
				return
			}
		}
	}
}

// turns reads a chat's turns, in order, and the errors of those that cannot be read.
func (s *Store) turns(ctx context.Context, id string) (turns []Turn, damaged []error, err error) {
	for raw, err := range s.rawTurns(ctx, turnsPrefix(id)) {
		if err != nil {
			return nil, nil, fmt.Errorf("read chat %q: %w", id, err)
		}
		t, err := decodeTurn(id, raw.key, raw.parts)
		if err != nil {
			damaged = append(damaged, err)
			continue
		}
		turns = append(turns, t)
	}
	return turns, damaged, nil
}

func decodeTurn(id, key string, parts [][]byte) (Turn, error) {
	var number int
	if _, err := fmt.Sscanf(strings.TrimPrefix(key, turnsPrefix(id)), "%06d/", &number); err != nil || turnPrefix(id, number) != key {
		return Turn{}, &DamagedError{key, errors.New("its key names no turn")}
	}
	raw, err := join(key, parts)
	if err != nil {
		return Turn{}, err
	}
	var r turnRecord
	if err := decode(key, raw, &r); err != nil {
		return Turn{}, err
	}
	if r.State == Running {
		r.State = Interrupted
	}
	restore(r.Messages, r.Exact)
	c := agent.Conversation{Messages: r.Messages}
	c.Settle()
	t := Turn{
		ID: r.ID, Number: number, Question: r.Question, Asked: r.Asked, Model: r.Model,
		Scope: r.Scope, State: r.State, Usage: r.Usage, Events: r.Events, messages: c.Messages,
	}
	if cutOff(t.State) {
		t.cut = &cutTurn{events: r.Events, messages: r.Messages, last: ending{r.Whole, r.Ended}, parts: len(parts)}
	}
	return t, nil
}
