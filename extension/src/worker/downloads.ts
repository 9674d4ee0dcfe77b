/** Which download a navigation turned out to be. */

import type {DownloadInfo} from '../protocol.gen';

// Chrome announces a download about when it answers the navigation, sometimes a little later.
const announcedMs = 1_000;

/** DownloadWatch listens for downloads from its making until its end. */
export class DownloadWatch {
  readonly #created: chrome.downloads.DownloadItem[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #listener = (item: chrome.downloads.DownloadItem): void => {
    this.#created.push(item);
    for (const wake of [...this.#waiting]) wake();
  };

  constructor() {
    chrome.downloads.onCreated.addListener(this.#listener);
  }

  /** Found gives the download of an address, or undefined when Chrome tells of none in time. */
  async found(address: string, signal: AbortSignal): Promise<DownloadInfo | undefined> {
    const wanted = URL.parse(address)?.href ?? address;
    const match = (): chrome.downloads.DownloadItem | undefined => this.#created.find(({url}) => url === wanted);
    if (!match()) await this.#next(signal);
    const item = match() ?? this.#created.at(-1);
    if (!item) return undefined;
    // The name is decided a moment after the download was announced.
    const [now = item] = await chrome.downloads.search({id: item.id});
    return {id: now.id, name: nameOf(now), state: stateOf(now)};
  }

  /** End takes the listener away. */
  end(): void {
    chrome.downloads.onCreated.removeListener(this.#listener);
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, announcedMs);
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}

function nameOf(item: chrome.downloads.DownloadItem): string {
  const file = item.filename.split(/[\\/]/).at(-1);
  if (file !== undefined && file !== '') return file;
  const path = URL.parse(item.finalUrl)?.pathname.split('/').at(-1);
  return path === undefined || path === '' ? 'download' : path;
}

function stateOf(item: chrome.downloads.DownloadItem): DownloadInfo['state'] {
  if (item.state === 'in_progress' && item.danger !== 'safe' && item.danger !== 'accepted') return 'dangerous';
  return item.state;
}
