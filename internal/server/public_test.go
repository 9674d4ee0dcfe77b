package server

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drawbridge-browser/drawbridge/client"
	"github.com/drawbridge-browser/drawbridge/protocol"
)

// certificate writes a certificate for name, and its key, and returns a pool that trusts it.
func certificate(t *testing.T, name string) (certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{name}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	for file, text := range map[string][]byte{certFile: certPEM, keyFile: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(certPEM)
	return certFile, keyFile, pool
}

func TestOthersComeInByTLSAndByTheirName(t *testing.T) {
	cert, key, pool := certificate(t, "bridge.test")
	h := start(t, Options{Public: &Public{URL: "https://bridge.test", Addr: "127.0.0.1:0", CertFile: cert, KeyFile: key}})
	// The name leads to the public listener, as it would by DNS.
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, h.srv.PublicAddr())
		},
	}
	t.Cleanup(transport.CloseIdleConnections)
	outside := &http.Client{Transport: transport}
	get := func(c *http.Client, url, host string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		response, err := c.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(body)
	}
	for path, want := range map[string]int{"/healthz": 200, "/pair": 200, "/metrics": 404, "/v1/browsers": 401} {
		if got, _ := get(outside, "https://bridge.test"+path, ""); got != want {
			t.Errorf("%s from outside: %d, want %d", path, got, want)
		}
	}
	if got, _ := get(outside, "https://bridge.test/metrics", h.srv.Addr()); got != 403 {
		t.Errorf("whoever is outside and names loopback got %d", got)
	}
	if got, _ := get(h.http, h.srv.URL()+"/metrics", ""); got != 200 {
		t.Errorf("/metrics from inside: %d", got)
	}
	// A proxy on this machine passes the name on.
	if got, _ := get(h.http, h.srv.URL()+"/metrics", "bridge.test"); got != 404 {
		t.Errorf("/metrics by a proxy: %d", got)
	}

	// A browser elsewhere pairs by the link, and an agent elsewhere acts in it.
	pairing, err := h.client.Pair(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if pairing.Link != "https://bridge.test/pair#"+pairing.Code+"."+pairing.ServerKey {
		t.Fatalf("the link is %s", pairing.Link)
	}
	ws, response, err := websocket.Dial(t.Context(), "wss://bridge.test/ws/browser", &websocket.DialOptions{
		HTTPClient: outside, HTTPHeader: http.Header{"Origin": {"chrome-extension://" + ExtensionID}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if response.Body != nil {
		response.Body.Close()
	}
	t.Cleanup(func() { ws.CloseNow() })
	p := &peer{t: t, ws: ws}
	p.sendFrame(hello(pairing.Code, idA))
	if ack, ok := p.next().(protocol.Ack); !ok || ack.DeviceToken == "" {
		t.Fatalf("the browser elsewhere got %+v", ack)
	}
	p.answer(opens)
	agent, err := client.New("https://bridge.test", h.token, &client.Options{HTTP: outside})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agent.Do(t.Context(), protocol.ListTabs{}); err != nil {
		t.Error(err)
	}
}

func TestNothingListensUnencryptedUnasked(t *testing.T) {
	cert, key, _ := certificate(t, "bridge.test")
	for why, public := range map[string]Public{
		"not both":                  {URL: "https://bridge.test", Addr: "127.0.0.1:0"},
		"tokens must not cross":     {URL: "https://bridge.test", Addr: "127.0.0.1:0", CertFile: cert, KeyFile: key, Proxied: true},
		"without a path":            {URL: "https://bridge.test/x"},
		"expected one like https":   {URL: "http://bridge.test"},
		"needs a public host:port":  {URL: "https://bridge.test", Proxied: true},
		"read the certificate":      {URL: "https://bridge.test", Addr: "127.0.0.1:0", CertFile: cert, KeyFile: cert},
		"listen on the public addr": {URL: "https://bridge.test", Addr: "nowhere", Proxied: true},
	} {
		s, err := New(&Options{Addr: "127.0.0.1:0", DataDir: t.TempDir(), Public: &public})
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%+v: %v, want %s", public, err, why)
		}
	}
	h := start(t, Options{Public: &Public{URL: "https://bridge.test:443", Addr: "127.0.0.1:0", Proxied: true}})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+h.srv.PublicAddr()+"/healthz", bytes.NewReader(nil))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "bridge.test"
	response, err := h.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("behind a proxy: %s", response.Status)
	}
}
