import {expect, test} from 'vitest';
import {fingerprintOf, isFingerprint, newNonce, whyUnproven} from './proof';
import {serverWithKey} from './testserver';

// One that the server's own code made: protocol/proof_test.go holds it too.
const vector = {
  serverKey: 'BDxya5kVwuHvytrUEeBFfsCEzQ-f3GGYj-4vIgsOubAgO1hWOlIx-JZ80mEMBwGckeKrHDbbLh51LlNq_wb5Lug',
  proof: '_ICgPh1J05TqzdIyClvjsveOr52cvGZqsb2C2FRbz5GB6zgrjUOqX2h_-RDDqGcDlSjphTOjTIn0wlnrfETzIw',
};
const challenge = {
  fingerprint: 'BA1D1C2B83C73FE017CFCE23C94E2432',
  address: '127.0.0.1:47600',
  browserId: '0b6ff5d6-5a3c-4a5e-8f0e-0d9d3a1f2b4c',
  nonce: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
};

test('the server of Go and WebCrypto mean the same', async () => {
  expect(await fingerprintOf(vector.serverKey)).toBe(challenge.fingerprint);
  expect(isFingerprint(challenge.fingerprint)).toBe(true);
  expect(await whyUnproven(vector, challenge)).toBeUndefined();
});

test.each([
  ['another address', {...challenge, address: '127.0.0.1:47601'}],
  ['another browser', {...challenge, browserId: crypto.randomUUID()}],
  ['another nonce', {...challenge, nonce: newNonce()}],
])('a signature for %s is none for us', async (_what, other) => {
  expect(await whyUnproven(vector, other)).toBe('its signature is wrong');
});

test('what is no proof is none', async () => {
  const other = await serverWithKey();
  expect(await whyUnproven({}, challenge)).toBe('it showed no proof');
  expect(await whyUnproven({serverKey: vector.serverKey}, challenge)).toBe('it showed no proof');
  expect(await whyUnproven({...vector, serverKey: other.serverKey}, challenge)).toBe('its key is another one');
  expect(await whyUnproven({...vector, proof: '!'}, challenge)).toBe('its proof cannot be read');
  expect(await whyUnproven({...vector, proof: 'AAAA'}, challenge)).toBe('its signature is wrong');
  const noKey = {...challenge, fingerprint: (await fingerprintOf('AAAA')) ?? ''};
  expect(await whyUnproven({...vector, serverKey: 'AAAA'}, noKey)).toBe('its key cannot be read');
  expect(await fingerprintOf('*')).toBeUndefined();
});

test("http's own port is not in the Host that the server signs", async () => {
  const server = await serverWithKey();
  const nonce = newNonce();
  const proof = await server.prove('localhost', challenge.browserId, nonce);
  const asked = {...challenge, fingerprint: server.fingerprint, address: 'localhost:80', nonce};
  expect(await whyUnproven(proof, asked)).toBeUndefined();
});

test('nonces differ and fit their schema', () => {
  const nonces = Array.from({length: 50}, newNonce);
  expect(new Set(nonces).size).toBe(50);
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9A-Za-z_-]{43}$/);
});
