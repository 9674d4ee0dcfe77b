/** What the extension tells the server unasked. Any part of the worker may emit; the link sends. */

import type {Event} from '../protocol.gen';

type Sink = (event: Event) => void;

/** Events passes each event to the link; while the link is down they wait, the oldest dropped first. */
export class Events {
  readonly #limit: number;
  readonly #waiting: Event[] = [];
  #sink: Sink | undefined;

  /** @param limit how many events wait at most. */
  constructor(limit = 200) {
    this.#limit = limit;
  }

  /** Emit tells the server one event, in order. It never throws and never waits. */
  emit(event: Event): void {
    if (this.#sink) {
      this.#sink(event);
      return;
    }
    this.#waiting.push(event);
    if (this.#waiting.length > this.#limit) this.#waiting.shift();
  }

  /** To sets who gets the events, and gives it those that waited. */
  to(sink: Sink): void {
    this.#sink = sink;
    for (const event of this.#waiting.splice(0)) sink(event);
  }

  /** Hold makes events wait again until the next `to`. */
  hold(): void {
    this.#sink = undefined;
  }
}

/** The worker's events. */
export const events = new Events();
