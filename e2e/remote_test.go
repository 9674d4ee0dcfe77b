package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/internal/server"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// certificate writes a certificate and its key to one file. The browser of the test is told to take any.
func certificate(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"bridge.example"}, NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tls.pem")
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})...)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A browser of another machine pairs by an https link, speaks wss, and is let go when its device is revoked.
func TestServerElsewhere(t *testing.T) {
	t.Parallel()
	file := certificate(t)
	s, err := server.New(&server.Options{
		Addr: "127.0.0.1:0", DataDir: t.TempDir(), DrainTime: time.Second,
		Public: &server.Public{URL: "https://bridge.example", Addr: "127.0.0.1:0", CertFile: file, KeyFile: file},
	})
	if err != nil {
		t.Fatal(err)
	}
	running, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(running) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	c, err := clientOf(s.Addr(), s.DataDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	pairing, err := c.Pair(within(t))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(pairing.Link, "https://bridge.example/pair#") {
		t.Fatalf("the link is %s", pairing.Link)
	}
	// The name leads to the public listener, as it would by DNS.
	r := newRig(t, rigOptions{
		addr: s.Addr(), dataDir: s.DataDir(), token: "ZZZZ-ZZZZ-ZZZZ-ZZZZ", unconnected: true,
		switches: []string{"--ignore-certificate-errors", "--host-resolver-rules=MAP bridge.example:443 " + s.PublicAddr()},
	})
	p := openPopup(t, r.browser)
	p.awaitLink("fatal")
	p.press("#pair-again")
	p.pairBy(strings.Replace(pairing.Link, "https:", "http:", 1))
	p.shows("would not be encrypted")
	p.pairBy(pairing.Link)
	p.awaitLink("ready")
	p.shows("wss://bridge.example")

	// It works as any other, and the server's pages are as far out of reach.
	tab, err := client.Do[protocol.OpenTabResult](within(t), c, protocol.OpenTab{URL: "about:blank"})
	if err != nil || tab.TabID == 0 {
		t.Fatalf("%+v, %v", tab, err)
	}
	if _, err := c.Do(within(t), protocol.OpenTab{URL: "https://bridge.example/pair"}); !errors.Is(err, &protocol.Error{Code: protocol.CodeDomainBlocked}) && !errors.Is(err, &protocol.Error{Code: protocol.CodeInvalidAction}) {
		t.Errorf("its own server's page: %v", err)
	}

	tokens, err := c.Tokens(within(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range tokens {
		if token.BrowserID == "" {
			continue
		}
		if _, err := c.RevokeToken(within(t), token.ID); err != nil {
			t.Fatal(err)
		}
	}
	p.awaitLink("fatal")
	p.shows("Pair again")
}
