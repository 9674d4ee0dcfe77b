import {hostOf, isLoopback, parse} from './domains';

/**
 * ServerAddress is a server's address as it is kept and shown: HOST:PORT on this machine, wss://HOST[:PORT] on another. Off this
 * machine there is no unencrypted form: the token would be anybody's on the way.
 */
export type ServerAddress = {ok: true; address: string} | {ok: false; error: string};

/** ReadServerAddress checks an address that a person or a file gave, and writes it in its one form. */
export function readServerAddress(given: string): ServerAddress {
  const secure = /^(wss|https):\/\//i.test(given);
  const rest = given.replace(/^(wss|https|ws|http):\/\//i, '');
  const url = parse(`${secure ? 'https' : 'http'}://${rest}`);
  if (url?.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
    return {
      ok: false,
      error: `"${given}" is no address: give HOST:PORT, such as 127.0.0.1:47600, or wss://HOST for another machine.`,
    };
  }
  if (secure) return {ok: true, address: `wss://${url.host}`};
  if (!isLoopback(hostOf(url.href))) {
    return {
      ok: false,
      error: `"${given}" is another machine, and this connection to it would not be encrypted, so that anybody on the way could read the token: ask for a link that begins with https:// (drawbridge up --public-url).`,
    };
  }
  return {ok: true, address: url.port === '' ? `${url.host}:80` : url.host};
}

/** SocketUrl is where the link connects to. @returns undefined for an address that no token may be sent to. */
export function socketUrl(address: string): string | undefined {
  const read = readServerAddress(address);
  if (!read.ok) return undefined;
  return `${read.address.startsWith('wss://') ? read.address : `ws://${read.address}`}/ws/browser`;
}

/** PagesOf is the address of the server's own pages. */
export function pagesOf(address: string): URL | undefined {
  return parse(address.startsWith('wss://') ? address.replace(/^wss/, 'https') : `http://${address}`);
}
