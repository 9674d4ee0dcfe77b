import {describe, expect, it} from 'vitest';
import {Waker} from './waker';

class Browser {
  readonly done: string[] = [];
  #there: boolean;
  #asked: (() => void) | undefined;

  constructor(there: boolean) {
    this.#there = there;
  }

  isOpen(): Promise<boolean> {
    return Promise.resolve(this.#there);
  }

  // Takes until finish is called, as Chrome takes a while.
  open(): Promise<void> {
    this.done.push('open');
    return new Promise((resolve) => {
      this.#asked = () => {
        this.#there = true;
        resolve();
      };
    });
  }

  close(): Promise<void> {
    this.done.push('close');
    this.#there = false;
    return Promise.resolve();
  }

  async finish(): Promise<void> {
    await settle();
    this.#asked?.();
    await settle();
  }
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

describe('the document that wakes the worker', () => {
  it('is made once, however often it is wanted', async () => {
    const browser = new Browser(false);
    const waker = new Waker(browser);
    waker.want(true);
    waker.want(true);
    await browser.finish();
    expect(browser.done).toEqual(['open']);
  });

  it('is left alone by the next worker', async () => {
    const browser = new Browser(true);
    new Waker(browser).want(true);
    await settle();
    expect(browser.done).toEqual([]);
  });

  it('goes with the link, also while it is being made', async () => {
    const browser = new Browser(false);
    const waker = new Waker(browser);
    waker.want(true);
    await settle();
    waker.want(false);
    await browser.finish();
    expect(browser.done).toEqual(['open', 'close']);
  });
});
