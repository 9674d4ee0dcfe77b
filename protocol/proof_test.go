package protocol

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"strings"
	"testing"
)

const (
	provenBrowser = "0b6ff5d6-5a3c-4a5e-8f0e-0d9d3a1f2b4c"
	provenNonce   = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
)

// TestProofIsReadAsItWasWritten holds one proof that the extension's test holds too: neither side may change what is signed.
func TestProofIsReadAsItWasWritten(t *testing.T) {
	proof := Proof{
		Key:       "BDxya5kVwuHvytrUEeBFfsCEzQ-f3GGYj-4vIgsOubAgO1hWOlIx-JZ80mEMBwGckeKrHDbbLh51LlNq_wb5Lug",
		Signature: "_ICgPh1J05TqzdIyClvjsveOr52cvGZqsb2C2FRbz5GB6zgrjUOqX2h_-RDDqGcDlSjphTOjTIn0wlnrfETzIw",
	}
	const fingerprint = "BA1D1C2B83C73FE017CFCE23C94E2432"
	if err := proof.Check(fingerprint, "127.0.0.1:47600", provenBrowser, provenNonce); err != nil {
		t.Error(err)
	}
	for what, err := range map[string]error{
		"another key":     proof.Check(strings.Repeat("0", 32), "127.0.0.1:47600", provenBrowser, provenNonce),
		"another host":    proof.Check(fingerprint, "127.0.0.1:47601", provenBrowser, provenNonce),
		"another browser": proof.Check(fingerprint, "127.0.0.1:47600", "", provenNonce),
		"another nonce":   proof.Check(fingerprint, "127.0.0.1:47600", provenBrowser, "B"+provenNonce[1:]),
		"no signature":    Proof{Key: proof.Key}.Check(fingerprint, "127.0.0.1:47600", provenBrowser, provenNonce),
		"no proof":        Proof{}.Check(fingerprint, "127.0.0.1:47600", provenBrowser, provenNonce),
	} {
		if err == nil {
			t.Errorf("%s was taken for the server's proof", what)
		}
	}
}

func TestProofOfANewKey(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	fingerprint, err := Fingerprint(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	// r and s that begin with zeroes are written out too: about one in 128 of them.
	for range 300 {
		proof, err := Prove(key, "LOCALHOST:80", provenBrowser, provenNonce)
		if err != nil {
			t.Fatal(err)
		}
		if err := proof.Check(strings.ToLower(fingerprint), "localhost:80", provenBrowser, provenNonce); err != nil {
			t.Fatal(err)
		}
	}
}
