package protocol

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Proof is how a server shows an extension that it is the one that the extension was paired with: it signs the nonce of the
// extension's first frame. Both members travel in the ack, or in auth_ok.
//
// The key is one of ECDSA on P-256, which the WebCrypto of every Chrome that the extension runs in can verify.
type Proof struct {
	// Key is the server's public key, an uncompressed point in base64url without padding.
	Key string
	// Signature is of the SHA-256 of ProofText, r and s of 32 bytes each, in base64url without padding.
	Signature string
}

// FingerprintBytes is how much of the SHA-256 of a public key stands in a pairing link: enough that nobody finds another key
// with the same.
const FingerprintBytes = 16

// ProofText is what the server signs. host is the host:port that the extension connected to, so that a program in between cannot
// pass on what another server signed; browserID is "" for a browser that says none.
func ProofText(host, browserID, nonce string) string {
	return strings.Join([]string{"drawbridge server proof 1", strings.ToLower(host), browserID, nonce}, "\n")
}

// Prove signs for the extension that sent nonce.
func Prove(key *ecdsa.PrivateKey, host, browserID, nonce string) (Proof, error) {
	point, err := key.PublicKey.Bytes()
	if err != nil {
		return Proof{}, fmt.Errorf("write the server's public key: %w", err)
	}
	sum := sha256.Sum256([]byte(ProofText(host, browserID, nonce)))
	r, s, err := ecdsa.Sign(rand.Reader, key, sum[:])
	if err != nil {
		return Proof{}, fmt.Errorf("sign the browser's nonce: %w", err)
	}
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return Proof{Key: encodeKey(point), Signature: base64.RawURLEncoding.EncodeToString(signature)}, nil
}

// Check reports, as an error, why the proof is not that of the server with this fingerprint.
func (p Proof) Check(fingerprint, host, browserID, nonce string) error {
	point, err := base64.RawURLEncoding.DecodeString(p.Key)
	if err != nil {
		return errors.New("the key is not in base64url")
	}
	if fingerprintOf(point) != strings.ToUpper(fingerprint) {
		return errors.New("it is another server's key")
	}
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return errors.New("the key is no point of P-256")
	}
	signature, err := base64.RawURLEncoding.DecodeString(p.Signature)
	if err != nil || len(signature) != 64 {
		return errors.New("the signature is not 64 bytes in base64url")
	}
	sum := sha256.Sum256([]byte(ProofText(host, browserID, nonce)))
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	if !ecdsa.Verify(key, sum[:], r, s) {
		return errors.New("the signature is not of this key and this connection")
	}
	return nil
}

// Fingerprint names a server's public key as a pairing link does: in hexadecimal, upper case.
func Fingerprint(key *ecdsa.PublicKey) (string, error) {
	point, err := key.Bytes()
	if err != nil {
		return "", fmt.Errorf("write the server's public key: %w", err)
	}
	return fingerprintOf(point), nil
}

func fingerprintOf(point []byte) string {
	sum := sha256.Sum256(point)
	return strings.ToUpper(hex.EncodeToString(sum[:FingerprintBytes]))
}

// PublicKey writes a public key as Proof.Key and Ack.ServerKey have it.
func PublicKey(key *ecdsa.PublicKey) (string, error) {
	point, err := key.Bytes()
	if err != nil {
		return "", fmt.Errorf("write the server's public key: %w", err)
	}
	return encodeKey(point), nil
}

func encodeKey(point []byte) string { return base64.RawURLEncoding.EncodeToString(point) }
