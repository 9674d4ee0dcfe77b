/** Which download a navigation turned out to be. */

import type {DownloadInfo} from '../protocol.gen';

// Chrome announces a download about when it answers the navigation, sometimes a little later.
const announcedMs = 1_000;

interface Announcements {
  addListener(listener: () => void): void;
  removeListener(listener: () => void): void;
}

/** DownloadWatch listens for downloads from its making until its end. */
export class DownloadWatch {
  readonly #created: chrome.downloads.DownloadItem[] = [];
  readonly #listener = (item: chrome.downloads.DownloadItem): void => {
    this.#created.push(item);
  };

  constructor() {
    chrome.downloads.onCreated.addListener(this.#listener);
  }

  /** Found gives the download of an address, or undefined when Chrome tells of none in time. */
  async found(address: string, signal: AbortSignal): Promise<DownloadInfo | undefined> {
    const wanted = URL.parse(address)?.href ?? address;
    const match = (): chrome.downloads.DownloadItem | undefined => this.#created.find(({url}) => url === wanted);
    if (!match()) await next(chrome.downloads.onCreated, signal);
    const item = match() ?? this.#created.at(-1);
    if (!item) return undefined;
    // Its name is decided a moment after it was announced.
    for (let tries = 0; ; tries++) {
      const [now = item] = await chrome.downloads.search({id: item.id});
      if (now.filename !== '' || tries === 3) return {id: now.id, name: nameOf(now), state: stateOf(now)};
      await next(chrome.downloads.onChanged, signal);
    }
  }

  /** End takes the listener away. */
  end(): void {
    chrome.downloads.onCreated.removeListener(this.#listener);
  }
}

/** Next waits for one event, for as long as Chrome may take to announce it. */
function next(event: Announcements, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      event.removeListener(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, announcedMs);
    event.addListener(wake);
    signal.addEventListener('abort', wake);
  });
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
