package testkit

import (
	"bufio"
	"crypto/sha1" //nolint:gosec // RFC 6455 asks for it
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
)

// WebSocket opcodes (RFC 6455).
const (
	opContinue = 0x0
	opText     = 0x1
	opBinary   = 0x2
	opClose    = 0x8
	opPing     = 0x9
	opPong     = 0xA
	finBit     = 0x80
)

// peer is the server's end of a WebSocket, made by hand, because a relay that
// breaks the protocol needs full control of its bytes.
type peer struct {
	conn  net.Conn
	r     *bufio.Reader
	mu    sync.Mutex // one writer at a time
	pongs bool       // whether pings are answered
}

// upgrade answers the handshake; accept overrides the proof when it is not "".
func upgrade(w http.ResponseWriter, r *http.Request, accept string) (*peer, error) {
	key := r.Header.Get("Sec-WebSocket-Key")
	if key == "" {
		http.Error(w, "a WebSocket handshake is wanted", http.StatusUpgradeRequired)
		return nil, errors.New("no handshake")
	}
	if accept == "" {
		sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) //nolint:gosec // see above
		accept = base64.StdEncoding.EncodeToString(sum[:])
	}
	conn, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, err
	}
	head := "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + "\r\n\r\n"
	if _, err := conn.Write([]byte(head)); err != nil {
		conn.Close()
		return nil, err
	}
	return &peer{conn: conn, r: rw.Reader, pongs: true}, nil
}

// frame makes a frame's header for a payload of the given length.
func frame(opcode byte, length uint64) []byte {
	switch {
	case length < 126:
		return []byte{opcode, byte(length)}
	case length < 1<<16:
		return binary.BigEndian.AppendUint16([]byte{opcode, 126}, uint16(length))
	}
	return binary.BigEndian.AppendUint64([]byte{opcode, 127}, length)
}

// write sends bytes as they are.
func (p *peer) write(parts ...[]byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	buffers := net.Buffers(parts)
	_, err := buffers.WriteTo(p.conn)
	return err
}

// send sends one text message.
func (p *peer) send(text []byte) error {
	return p.write(frame(opText|finBit, uint64(len(text))), text)
}

// next returns the client's next text message. It answers pings and close frames.
func (p *peer) next() ([]byte, error) {
	for {
		opcode, payload, err := p.readFrame()
		if err != nil {
			return nil, err
		}
		switch opcode {
		case opText:
			return payload, nil
		case opPing:
			if p.pongs {
				if err := p.write(frame(opPong|finBit, uint64(len(payload))), payload); err != nil {
					return nil, err
				}
			}
		case opClose:
			_ = p.write(frame(opClose|finBit, uint64(len(payload))), payload) // the client may be gone
			return nil, io.EOF
		}
	}
}

// readFrame reads one masked, unfragmented frame: what our client sends.
func (p *peer) readFrame() (opcode byte, payload []byte, err error) {
	var head [2]byte
	if _, err := io.ReadFull(p.r, head[:]); err != nil {
		return 0, nil, err
	}
	length := uint64(head[1] & 0x7f)
	var wide [8]byte
	switch length {
	case 126:
		_, err = io.ReadFull(p.r, wide[6:])
	case 127:
		_, err = io.ReadFull(p.r, wide[:])
	}
	if err != nil {
		return 0, nil, err
	}
	if length >= 126 {
		length = binary.BigEndian.Uint64(wide[:])
	}
	if head[0]&finBit == 0 || head[1]&0x80 == 0 || length > 4<<20 {
		return 0, nil, errors.New("the client sent a frame that it must not send")
	}
	var mask [4]byte
	if _, err := io.ReadFull(p.r, mask[:]); err != nil {
		return 0, nil, err
	}
	payload = make([]byte, length)
	if _, err := io.ReadFull(p.r, payload); err != nil {
		return 0, nil, err
	}
	for i := range payload {
		payload[i] ^= mask[i%4]
	}
	return head[0] &^ finBit, payload, nil
}
