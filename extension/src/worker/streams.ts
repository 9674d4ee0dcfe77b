/** What an extract gives of each part: filled piece by piece, from several documents, until it is full. */

import type {ElementRow, Strand} from '../page/api';
import {cutBytes} from '../page/text';
import type {Mark} from './marks';

/** Sliced is what pieces are cut of: texts and lists. */
interface Sliced<T> {
  readonly length: number;
  slice(from: number, to: number): T;
}

/** Stream is one part of what is given. */
export abstract class Stream<T> {
  /** Where the part goes on, once it is closed before its end. */
  next: Mark | null = null;
  /** How much more it takes, in its own measure. */
  left: number;
  #open: boolean;

  constructor(left: number) {
    this.left = left;
    this.#open = left > 0;
  }

  /** If true, it still takes what comes. */
  get open(): boolean {
    return this.#open;
  }

  /** If true, it is worth beginning something more. */
  abstract get roomy(): boolean;

  /** Close ends it; `next` is where the part goes on. */
  close(next: Mark): void {
    this.#open = false;
    this.next = next;
  }

  /** Add takes a piece that is `at` so far in its document, and tells how much of it went in. */
  abstract add(piece: T, at: number, head: Head): number;

  /** End is told when a document's last piece was added. */
  abstract end(head: Head): void;
}

/** Head is the line that says whose words a document's are; empty where that is known. */
export interface Head {
  readonly text: string;
  said: boolean;
}

const tail = '\n\n**End of frame**';
const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

// A piece of fewer bytes is not worth its beginning.
const leastBytes = 200;

/** Writing is a text. It has at most so many bytes of UTF-8. */
export class Writing extends Stream<string> {
  written = '';
  readonly #goesOn: boolean;

  /** @param goesOn whether an earlier text goes on with this one: both together are the whole. */
  constructor(maxBytes: number, goesOn: boolean) {
    super(maxBytes);
    this.#goesOn = goesOn;
  }

  override get roomy(): boolean {
    return this.left > leastBytes;
  }

  override add(piece: string, at: number, head: Head): number {
    let before = at === 0 && (this.#goesOn || this.written !== '') ? '\n\n' : '';
    const length = bytesOf(head.text);
    if (length > 0 && !head.said && length < this.left / 2) {
      before += head.text;
      head.said = true;
      this.left -= tail.length;
    }
    const {text, end} = cutBytes(piece, this.left - bytesOf(before));
    if (text !== '') this.#write(before + text);
    return end;
  }

  override end(head: Head): void {
    // Its room was kept.
    if (this.open && head.said) this.written += tail;
  }

  #write(text: string): void {
    this.written += text;
    this.left -= bytesOf(text);
  }
}

/** Listing is a list of elements. It has at most so many. */
export class Listing extends Stream<ElementRow[]> {
  readonly written: ElementRow[] = [];

  override get roomy(): boolean {
    return this.left > 0;
  }

  override add(piece: ElementRow[]): number {
    const taken = piece.slice(0, this.left);
    this.written.push(...taken);
    this.left -= taken.length;
    return taken.length;
  }

  override end(): void {
    // A list says nothing of where a document ends.
  }
}

/** Course is the way through one part of one document, up to the place of each frame in it. */
export class Course<T extends Sliced<T>> {
  #at: number;
  readonly #out: Stream<T>;
  readonly #strand: Strand<T>;
  readonly #path: readonly number[];
  readonly #head: Head;

  constructor(out: Stream<T>, strand: Strand<T>, path: readonly number[], head: string) {
    this.#out = out;
    this.#strand = strand;
    this.#path = path;
    this.#head = {text: head, said: false};
    this.#at = strand.from;
  }

  /** ToFrame gives what stands before a frame; `behind` is the frame that was read last in this document. */
  toFrame(index: number, behind: number | undefined): void {
    const place = this.#strand.places[index] ?? -1;
    this.#to(place < 0 ? Infinity : place, behind);
  }

  /** ToEnd gives what is left. */
  toEnd(behind: number | undefined): void {
    this.#to(Infinity, behind);
    this.#out.end(this.#head);
  }

  #to(place: number, behind: number | undefined): void {
    const out = this.#out;
    const {piece, from, next} = this.#strand;
    const to = Math.min(place, from + piece.length);
    const isCut = to < place && next >= 0;
    if (!out.open || (to <= this.#at && !isCut)) return;
    if (behind !== undefined && !out.roomy) {
      out.close({path: this.#path, start: {after: behind}});
      return;
    }
    if (to > this.#at) this.#at += out.add(piece.slice(this.#at - from, to - from), this.#at, this.#head);
    if (this.#at < to || isCut) out.close({path: this.#path, start: {offset: this.#at}});
  }
}
