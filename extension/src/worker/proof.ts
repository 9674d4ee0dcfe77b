/**
 * How the server proves that it is the one that this browser was paired with: it signs a nonce of ours with the key whose
 * fingerprint stood in the pairing link. ECDSA on P-256, since every Chrome that we run in can verify that.
 */

import {pagesOf} from './serveraddress';

/** Proof is what the server's acknowledgement has of it. */
export interface Proof {
  /** The public key, an uncompressed point in base64url. */
  serverKey?: string;
  /** The signature, r and s, in base64url. */
  proof?: string;
}

/** What the signature must be of, and by whose key. */
export interface Challenge {
  /** The key's fingerprint. */
  fingerprint: string;
  /** HOST:PORT of the server, as the settings have it. */
  address: string;
  browserId: string;
  nonce: string;
}

const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'};
const fingerprintBytes = 16;

/** NewNonce is a nonce that nobody had before. */
export function newNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** IsFingerprint tells whether a word looks like a key's fingerprint. */
export function isFingerprint(word: string): boolean {
  return /^[0-9A-F]{32}$/.test(word);
}

/** FingerprintOf names a public key as pairing links do; undefined for what is no key. */
export async function fingerprintOf(serverKey: string): Promise<string | undefined> {
  const point = bytesOf(serverKey);
  if (point === undefined) return undefined;
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', point));
  return Array.from(sum.subarray(0, fingerprintBytes), (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

/** WhyUnproven is why a server is not the one that was paired with; undefined when it is. It never rejects. */
export async function whyUnproven({serverKey, proof}: Proof, challenge: Challenge): Promise<string | undefined> {
  if (serverKey === undefined || proof === undefined) return 'it showed no proof';
  if ((await fingerprintOf(serverKey)) !== challenge.fingerprint) return 'its key is another one';
  const [point, signature] = [bytesOf(serverKey), bytesOf(proof)];
  if (point === undefined || signature === undefined) return 'its proof cannot be read';
  const text = new TextEncoder().encode(proofText(challenge));
  try {
    const key = await crypto.subtle.importKey('raw', point, algorithm, false, ['verify']);
    return (await crypto.subtle.verify(algorithm, key, signature, text)) ? undefined : 'its signature is wrong';
  } catch {
    return 'its key cannot be read';
  }
}

// What is signed, to the letter as protocol.ProofText makes it. The Host header leaves out http's own port.
function proofText({address, browserId, nonce}: Challenge): string {
  return ['drawbridge server proof 1', pagesOf(address)?.host ?? address, browserId, nonce].join('\n');
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
