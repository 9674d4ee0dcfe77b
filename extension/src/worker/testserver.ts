/** A server's key, for tests of how a server proves itself. */

import {fingerprintOf} from './proof';

/** A server that can prove itself. */
export interface KeyedServer {
  fingerprint: string;
  serverKey: string;
  /** What its ack says to a browser that connected to this host and sent this nonce. */
  prove: (host: string, browserId: string, nonce: string) => Promise<{serverKey: string; proof: string}>;
}

const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'};

/** A server with a new key. */
export async function serverWithKey(): Promise<KeyedServer> {
  const {publicKey, privateKey} = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const serverKey = base64url(await crypto.subtle.exportKey('raw', publicKey));
  const fingerprint = (await fingerprintOf(serverKey)) ?? '';
  return {
    fingerprint,
    serverKey,
    prove: async (host, browserId, nonce) => {
      const text = ['drawbridge server proof 1', host, browserId, nonce].join('\n');
      const proof = await crypto.subtle.sign(algorithm, privateKey, new TextEncoder().encode(text));
      return {serverKey, proof: base64url(proof)};
    },
  };
}

function base64url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
