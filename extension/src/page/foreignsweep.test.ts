// @vitest-environment jsdom
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {sweep} from './foreignsweep';

const ours = 'chrome-extension://oooooooooooooooooooooooooooooooo/';
const theirs = 'chrome-extension://tttttttttttttttttttttttttttttttt/frame.html';
const told: unknown[] = [];

// What a content script has of chrome; closed roots are kept here, as only the browser can open them.
const closed = new WeakMap<Element, ShadowRoot>();

beforeEach(() => {
  told.length = 0;
  document.body.innerHTML = '';
  vi.stubGlobal('chrome', {
    dom: {openOrClosedShadowRoot: (element: Element) => closed.get(element) ?? element.shadowRoot},
    runtime: {
      sendMessage: (message: unknown) => {
        told.push(message);
        return Promise.resolve();
      },
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function frame(src: string): HTMLIFrameElement {
  const made = document.createElement('iframe');
  made.setAttribute('src', src);
  return made;
}

function host(mode: ShadowRootMode): ShadowRoot {
  const made = document.createElement('div');
  const root = made.attachShadow({mode});
  closed.set(made, root);
  document.body.append(made);
  return root;
}

// First of all: what a sweep leaves behind watches this document for the rest of the file.
test('looking removes nothing and watches nothing', async () => {
  document.body.append(frame(theirs));
  expect(sweep(ours, 'removed', true)).toHaveLength(1);
  document.body.append(frame(theirs));
  await Promise.resolve();
  expect(document.querySelectorAll('iframe')).toHaveLength(2);
});

test('frames of other extensions go, all others stay', () => {
  document.body.append(frame(theirs), frame(`${ours}cover.html`), frame('https://a.test/'), frame('about:blank'));
  expect(sweep(ours, 'removed', false)).toEqual(['tttttttttttttttttttttttttttttttt']);
  expect([...document.querySelectorAll('iframe')].map((one) => one.getAttribute('src'))).toEqual([
    `${ours}cover.html`,
    'https://a.test/',
    'about:blank',
  ]);
});

test('closed shadow roots are no hiding place, not even one within another', () => {
  const inner = document.createElement('div');
  const root = inner.attachShadow({mode: 'closed'});
  closed.set(inner, root);
  root.append(frame(theirs));
  host('closed').append(inner);
  host('open').append(frame(theirs));
  expect(sweep(ours, 'removed', false)).toHaveLength(2);
  expect(root.querySelector('iframe')).toBeNull();
});

test('what comes later is removed as well and told', async () => {
  const root = host('closed');
  sweep(ours, 'removed', false);
  document.body.append(frame(theirs));
  root.append(frame(theirs));
  await vi.waitFor(() => {
    expect(told).toHaveLength(1);
  });
  expect(told[0]).toEqual({type: 'removed', ids: ['tttttttttttttttttttttttttttttttt']});
  expect([document.querySelector('iframe'), root.querySelector('iframe')]).toEqual([null, null]);
});

test('a frame that gets its address later is removed then', async () => {
  sweep(ours, 'removed', false);
  const late = frame('about:blank');
  document.body.append(late);
  await Promise.resolve();
  expect(late.isConnected).toBe(true);
  late.setAttribute('src', theirs);
  await Promise.resolve();
  expect(late.isConnected).toBe(false);
});

test('a root that a host gets after it was added is looked into as well', async () => {
  sweep(ours, 'removed', false);
  const late = document.createElement('div');
  document.body.append(late);
  await Promise.resolve();
  const root = late.attachShadow({mode: 'closed'});
  closed.set(late, root);
  root.append(frame(theirs));
  await vi.waitFor(() => {
    expect(root.querySelector('iframe')).toBeNull();
  });
});
