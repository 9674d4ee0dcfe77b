package dialect_test

import (
	"errors"
	"testing"

	"github.com/drawbridge-browser/drawbridge/internal/dialect"
)

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		frame string
		name  dialect.Name
		err   error
	}{
		{`{"type":"hello","protocolVersion":4}`, dialect.NameBridge, nil},
		{` {"caps":[],"type":"hello"} `, dialect.NameBridge, nil},
		{`{"type":"hello"}`, dialect.NameBridge, nil}, // what is missing is the decoder's to say
		{`{"type":"auth","token":"t"}`, dialect.NameRPC, nil},
		{`{"type":"ping"}`, "", dialect.ErrNoDialect},
		{`{"TYPE":"hello"}`, "", dialect.ErrNoDialect},
		{`{"type":["hello"]}`, "", dialect.ErrNoDialect},
		{`{"type":null}`, "", dialect.ErrNoDialect},
		{`{}`, "", dialect.ErrNoDialect},
		{`null`, "", dialect.ErrNoDialect},
		{`"hello"`, "", dialect.ErrNoDialect},
		{`[{"type":"hello"}]`, "", dialect.ErrNoDialect},
		{`{"type":"hello"`, "", dialect.ErrNoDialect},
		{`GET / HTTP/1.1`, "", dialect.ErrNoDialect},
		{``, "", dialect.ErrNoDialect},
	} {
		name, err := dialect.Sniff([]byte(c.frame))
		if name != c.name || !errors.Is(err, c.err) {
			t.Errorf("%s: got %q, %v, want %q, %v", c.frame, name, err, c.name, c.err)
		}
	}
}
