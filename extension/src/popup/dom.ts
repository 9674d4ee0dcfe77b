/**
 * byId returns the element of this page with that id. The page is ours, so one that is missing or of
 * another kind is a fault of the build: it throws.
 */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} with the id ${id}`);
  return found;
}

/** text makes an element that holds only text: page-written words never become markup. */
export function text(tag: 'b' | 'span' | 'li', words: string, className = ''): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = words;
  if (className) made.className = className;
  return made;
}

/** ago says how long ago a time was, in a word or two. Both are epoch milliseconds. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  return `${Math.round(seconds / 3600)} h ago`;
}
