/** The user's settings and this installation's identity. */

import type {DialectName, WhenAway} from '../messages';
import {parse, rule} from './domains';
import {isFingerprint} from './proof';
import {readServerAddress} from './serveraddress';
import type {Store} from './storage';
import {isRecord, local} from './storage';

/** Where a server listens unless something else is said. */
export const defaultAddress = '127.0.0.1:47600';

/** SettingsState is what the user (or config.json) decided. */
export interface SettingsState {
  /** HOST:PORT of the server, loopback only. */
  address: string;
  /** A pairing code until the first ack, then the device token. Empty: not paired. Never shown or logged. */
  token: string;
  /** The fingerprint of the server's key, which it must prove to have. Empty: paired with one that showed none. */
  serverKey: string;
  /** The user's blocklist: registrable domains, hosts and IP addresses, as `rule` makes them. */
  blocklist: string[];
  whenAway: WhenAway;
  /** Which of the two protocols is spoken to the server. */
  dialect: DialectName;
  /** If true, nobody is at this browser: agents that ask for the user's help are refused at once. */
  unattended: boolean;
  /**
   * If true, Chrome's own switch decides whether agents may open file: addresses. False in a browser that a
   * program launched: there that switch is on by itself, and nobody chose it.
   */
  files: boolean;
}

/** What a change was about: `link` when the connection must be made anew. */
export interface SettingsChange {
  link: boolean;
}

/** The pairing that a person pasted or typed, or the reason why it is none. */
export type Pairing = {ok: true; address: string; code: string; serverKey: string} | {ok: false; error: string};

const settingsKey = 'settings';
const deviceKey = 'device';
const importedKey = 'imported';

/** Settings holds the settings, stores them and says when they changed. */
export class Settings {
  readonly #store: Store;
  readonly #listeners = new Set<(change: SettingsChange) => void>();
  #state: SettingsState = {
    address: defaultAddress,
    token: '',
    serverKey: '',
    blocklist: [],
    whenAway: 'pause',
    dialect: 'bridge',
    unattended: false,
    files: true,
  };
  // What we wrote and Chrome has not told back yet.
  readonly #written = new Set<string>();
  #browserId = '';
  #seq = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Load reads the stored settings; a config.json that was not taken yet comes first.
   * @param readConfig gives the parsed config.json of a browser that Drawbridge launched, or undefined.
   */
  async load(readConfig: () => Promise<unknown>): Promise<void> {
    const [all, config] = await Promise.all([this.#store.all(), readConfig()]);
    this.#take(all[settingsKey]);
    const device = all[deviceKey];
    if (isRecord(device)) {
      if (typeof device.browserId === 'string') this.#browserId = device.browserId;
      if (typeof device.seq === 'number') this.#seq = device.seq;
    }
    if (this.#browserId === '') {
      this.#browserId = crypto.randomUUID();
      await this.#saveDevice();
    }
    await this.#import(config, all[importedKey]);
  }

  /** The settings as they are now. */
  get state(): Readonly<SettingsState> {
    return this.#state;
  }

  /**
   * Speaks is the protocol of the next connection: the one that was chosen, but for the exchange of a pairing code, which the rpc
   * dialect has no words for.
   */
  get speaks(): DialectName {
    return isPairingCode(this.#state.token) ? 'bridge' : this.#state.dialect;
  }

  /** BrowserId is made once per installation. */
  get browserId(): string {
    return this.#browserId;
  }

  /** OnChange registers a listener for changes that the user made. */
  onChange(listener: (change: SettingsChange) => void): void {
    this.#listeners.add(listener);
  }

  /** NextSeq is the number of the next connection; it rises over restarts. Resolves when it is stored. */
  async nextSeq(): Promise<number> {
    this.#seq += 1;
    await this.#saveDevice();
    return this.#seq;
  }

  /** Pair sets where, as whom and to whose key to connect ('' for any); a change makes the link connect at once. */
  async pair(address: string, code: string, serverKey: string): Promise<void> {
    await this.#change({address, token: code, serverKey}, {link: true});
  }

  /**
   * Keep stores the device token that the server gave for the code, and its key's fingerprint ('' for none) unless one is
   * known. It is no change for the link.
   * @param browserId is the token's, if it is another one than ours: this profile is a copy.
   */
  async keep(deviceToken: string, serverKey: string, browserId = this.#browserId): Promise<void> {
    this.#browserId = browserId;
    const known = this.#state.serverKey;
    this.#state = {...this.#state, token: deviceToken, serverKey: known === '' ? serverKey : known};
    await this.#save({[deviceKey]: {browserId, seq: this.#seq}}); // both or neither: the token is good for this id alone
  }

  /** Block replaces the blocklist. @returns the entry that is no domain or address, if any: then nothing changed. */
  async block(entries: readonly string[]): Promise<string | undefined> {
    const rules = new Set<string>();
    for (const typed of entries) {
      if (typed.trim() === '') continue;
      const made = rule(typed);
      if (made === undefined) return typed;
      rules.add(made);
    }
    await this.#change({blocklist: [...rules].sort()}, {link: false});
    return undefined;
  }

  /** SetWhenAway says whether agents go on while the user is away. */
  async setWhenAway(whenAway: WhenAway): Promise<void> {
    await this.#change({whenAway}, {link: false});
  }

  /** SetDialect chooses the protocol; a change makes the link anew. */
  async setDialect(dialect: DialectName): Promise<void> {
    await this.#change({dialect}, {link: dialect !== this.#state.dialect});
  }

  /** SetUnattended says whether nobody is at this browser. */
  async setUnattended(unattended: boolean): Promise<void> {
    await this.#change({unattended}, {link: false});
  }

  /**
   * Stored takes in what storage says now. Our own writes come back the same way, late, and change nothing; an
   * address or token that somebody else wrote makes the link connect at once.
   */
  stored(value: unknown): void {
    const before = this.#state;
    const {address, token, serverKey, dialect} = before;
    this.#take(value);
    const now = fingerprint(this.#state);
    if (this.#written.delete(now)) {
      this.#state = before;
      return;
    }
    if (now === fingerprint(before)) return;
    const {state} = this;
    const same = state.address === address && state.token === token && state.serverKey === serverKey;
    this.#tell({link: !same || state.dialect !== dialect});
  }

  /** The key under which the settings are stored, for whoever hears of changes in storage. */
  static readonly key = settingsKey;

  async #change(change: Partial<SettingsState>, told: SettingsChange): Promise<void> {
    this.#state = {...this.#state, ...change};
    await this.#save();
    this.#tell(told);
  }

  async #save(more: Record<string, unknown> = {}): Promise<void> {
    this.#written.add(fingerprint(this.#state));
    await this.#store.set({[settingsKey]: this.#state, ...more});
  }

  #tell(change: SettingsChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  #saveDevice(): Promise<void> {
    return this.#store.set({[deviceKey]: {browserId: this.#browserId, seq: this.#seq}});
  }

  #take(value: unknown): void {
    if (!isRecord(value)) return;
    const {address, token, serverKey, blocklist, whenAway, dialect, unattended, files} = value;
    this.#state = {
      address: typeof address === 'string' ? address : this.#state.address,
      token: typeof token === 'string' ? token : this.#state.token,
      serverKey: typeof serverKey === 'string' ? serverKey : this.#state.serverKey,
      blocklist: Array.isArray(blocklist)
        ? blocklist.filter((entry) => typeof entry === 'string')
        : this.#state.blocklist,
      whenAway: whenAway === 'work' || whenAway === 'pause' ? whenAway : this.#state.whenAway,
      dialect: isDialect(dialect) ? dialect : this.#state.dialect,
      unattended: typeof unattended === 'boolean' ? unattended : this.#state.unattended,
      files: typeof files === 'boolean' ? files : this.#state.files,
    };
  }

  // A browser that is launched again in its own profile gets a config.json with a new port and code: each
  // one is taken once, so that it wins over what is stored and never over what came after it.
  async #import(config: unknown, imported: unknown): Promise<void> {
    if (!isRecord(config)) return;
    const {address, pairingToken, serverKey = ''} = config;
    if (typeof address !== 'string' || typeof pairingToken !== 'string' || typeof serverKey !== 'string') return;
    const name = `${address} ${pairingToken}`;
    if (imported === name) return;
    // Nobody sits at a browser that a program launched: what counts as "away" there is normal.
    this.#state = {...this.#state, address, token: pairingToken, serverKey, whenAway: 'work', files: false};
    if (config.whenAway === 'pause') this.#state.whenAway = 'pause';
    this.#state.unattended = config.unattended === true;
    if (isDialect(config.dialect)) this.#state.dialect = config.dialect;
    await this.#save({[importedKey]: name});
  }
}

// Chrome gives objects back with their keys in another order.
function fingerprint(state: SettingsState): string {
  const {address, token, serverKey, blocklist, whenAway, dialect, unattended, files} = state;
  return JSON.stringify([address, token, serverKey, blocklist, whenAway, dialect, unattended, files]);
}

/** IsDialect tells whether a word names a dialect. */
export function isDialect(value: unknown): value is DialectName {
  return value === 'bridge' || value === 'rpc';
}

// Without what parts its groups it may as well be another server's token, so that is no code here.
function isPairingCode(token: string): boolean {
  return /^[0-9a-tv-z]{4}([- ][0-9a-tv-z]{4}){3}$/i.test(token);
}

/** ReadPairing reads a pairing link, or an address and a code. */
export function readPairing(given: {link: string} | {address: string; code: string}): Pairing {
  const typed = 'link' in given ? readLink(given.link.trim()) : readTyped(given.address.trim(), given.code.trim());
  if (!typed.ok) return typed;
  const {address, code, serverKey} = typed;
  const read = readServerAddress(address);
  return read.ok ? {ok: true, address: read.address, code, serverKey} : read;
}

function readLink(link: string): Pairing {
  const usage =
    'paste the whole link that "drawbridge up" or "drawbridge pair" prints: http://127.0.0.1:PORT/pair#CODE';
  const url = parse(link);
  const web = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!web || url.pathname !== '/pair' || url.hash.length < 2) {
    return {ok: false, error: `This is no pairing link: ${usage}`};
  }
  const [code = '', key = ''] = decodeURIComponent(url.hash.slice(1)).split('.');
  const serverKey = key.toUpperCase();
  if (serverKey !== '' && !isFingerprint(serverKey)) {
    return {ok: false, error: `This pairing link is not whole: ${usage}`};
  }
  return {ok: true, address: url.origin, code, serverKey};
}

function readTyped(address: string, code: string): Pairing {
  if (code === '') return {ok: false, error: 'The code is missing: "drawbridge pair" prints one.'};
  return {ok: true, address, code, serverKey: ''};
}

/** The worker's settings. */
export const settings = new Settings(local);
