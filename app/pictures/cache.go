package pictures

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// maxDisk is how many bytes of pictures are kept; maxFile is more than a small
// picture can need.
const (
	maxDisk = 128 << 20
	maxFile = 8 << 20
	suffix  = ".png"
	partial = ".new-" // begins the name of a file that is being written, or was when the program was killed
)

// disk keeps small pictures as files named by a hash of their address. A failure to write
// or read costs no more than another request, so it is not reported.
type disk struct {
	mu  sync.Mutex
	dir string // "": nothing is kept
}

func (d *disk) file(address string) string {
	sum := sha256.Sum256([]byte(address))
	return filepath.Join(d.dir, hex.EncodeToString(sum[:16])+suffix)
}

// get returns the bytes of a picture, or nil. They are measured and decoded like a
// stranger's.
func (d *disk) get(address string) []byte {
	if d.dir == "" {
		return nil
	}
	f, err := os.Open(d.file(address))
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil
	}
	return data
}

// put writes a picture completely or not at all.
func (d *disk) put(address string, p *image.RGBA) {
	if d.dir == "" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if os.MkdirAll(d.dir, 0o700) != nil {
		return
	}
	tmp, err := os.CreateTemp(d.dir, partial+"*")
	if err != nil {
		return
	}
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	err = errors.Join(enc.Encode(tmp, p), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), d.file(address))
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return
	}
	d.trim()
}

// trim removes the oldest files until the rest is small enough.
func (d *disk) trim() {
	files, sum := d.files()
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if sum <= maxDisk {
			return
		}
		if os.Remove(filepath.Join(d.dir, f.Name())) == nil {
			sum -= f.Size()
		}
	}
}

// files returns the pictures, including partly written ones, and their total size.
func (d *disk) files() (files []fs.FileInfo, sum int64) {
	entries, err := os.ReadDir(d.dir)
	if err != nil {
		return nil, 0
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) && !strings.HasPrefix(e.Name(), partial) {
			continue
		}
		if info, err := e.Info(); err == nil && e.Type().IsRegular() {
			files = append(files, info)
			sum += info.Size()
		}
	}
	return files, sum
}

func (d *disk) size() int64 {
	if d.dir == "" {
		return 0
	}
	_, sum := d.files()
	return sum
}

// clear removes the pictures, and nothing else that may be there.
func (d *disk) clear() error {
	if d.dir == "" {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	files, _ := d.files()
	var errs []error
	for _, f := range files {
		errs = append(errs, os.Remove(filepath.Join(d.dir, f.Name())))
	}
	return errors.Join(errs...)
}

// memory keeps the most recently used pictures, up to a number of bytes.
type memory struct {
	mu    sync.Mutex
	most  int
	held  int
	order *list.List // of *kept, the most recently used first
	by    map[string]*list.Element
}

type kept struct {
	address string
	picture *image.RGBA
}

func newMemory(most int) *memory {
	return &memory{most: most, order: list.New(), by: map[string]*list.Element{}}
}

func (m *memory) get(address string) *image.RGBA {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.by[address]
	if e == nil {
		return nil
	}
	m.order.MoveToFront(e)
	return e.Value.(*kept).picture
}

func (m *memory) put(address string, p *image.RGBA) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drop(m.by[address])
	m.by[address] = m.order.PushFront(&kept{address, p})
	m.held += len(p.Pix)
	for m.held > m.most {
		m.drop(m.order.Back())
	}
}

func (m *memory) drop(e *list.Element) {
	if e == nil {
		return
	}
	k := m.order.Remove(e).(*kept)
	delete(m.by, k.address)
	m.held -= len(k.picture.Pix)
}

func (m *memory) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.order.Init()
	m.by = map[string]*list.Element{}
	m.held = 0
}
