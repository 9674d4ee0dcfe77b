/** The page's part of upload: what takes files at a target, and giving them to it, bytes and all. */

import type {TargetRef} from './actapi';
import type {Acting} from './acting';
import {PageFault} from './api';
import type {ControlsApi, FileName, FilePart, Given, Receiver} from './controlapi';
import {accepted, bytesOf} from './filerules';
import {flatAncestors} from './hittest';
import {descendants} from './lists';
import {disabled, enabled, spoken} from './locate';
import type {Registry} from './registry';

type Methods = 'receive' | 'adopted' | 'stage' | 'give';

interface Staged extends FileName {
  readonly parts: BlobPart[];
}

const buttons =
  'button,a[href],summary,input[type=button],input[type=submit],input[type=image],[role=button],[role=link],[role=menuitem]';

/** Uploading is the part of a document's page API that upload uses. What was staged stays here until it is given. */
export class Uploading implements Pick<ControlsApi, Methods> {
  readonly #acting: Acting;
  readonly #registry: Registry;
  #target: Element | undefined;
  #staged: Staged[] = [];

  constructor(acting: Acting, registry: Registry) {
    this.#acting = acting;
    this.#registry = registry;
  }

  /** Adopt puts the input that a file chooser was opened for in place of the target; it may stand in no document. */
  adopt(element: Element): void {
    this.#target = element;
  }

  /** Receive finds what takes files at a target, and checks that it takes these. */
  receive({target, files}: {target: TargetRef; files: FileName[]}): Receiver {
    this.#staged = [];
    const named = this.#acting.take(target);
    const input = inputOf(named);
    this.#target = input ?? named;
    this.#acting.begin(this.#target);
    if (input) return this.#input(input, files);
    const off = enabled(named, this.#registry);
    if (off) throw new PageFault(off.code, off.message, {step: off.step});
    return {
      kind: opensChooser(named) ? 'button' : 'zone',
      clickable: pointed(named),
      what: spoken(named, this.#registry),
      ...scene(),
    };
  }

  /** Adopted checks the input that was adopted. */
  adopted({files}: {files: FileName[]}): Receiver {
    if (isFileInput(this.#target)) return this.#input(this.#target, files);
    throw new PageFault(
      'invalid_action',
      'the file chooser belongs to no file input of this page; nothing was given to it',
    );
  }

  /** Stage keeps a piece of a file until {@link give}. */
  stage({index, name, mimeType, data, first}: FilePart): {done: boolean} {
    const bytes = bytesOf(data);
    if (!bytes) {
      this.#staged = [];
      throw new PageFault('invalid_action', `the data of ${JSON.stringify(name)} is no base64; encode its bytes again`);
    }
    const file = first ? {name, mimeType, parts: []} : this.#staged[index];
    if (!file) throw new PageFault('element_stale', 'the page changed its document meanwhile; take a new snapshot');
    file.parts.push(bytes);
    this.#staged[index] = file;
    return {done: true};
  }

  /**
   * Give gives the staged files: to an input by its list of files, with one input and one change event; to anything
   * else by the events of a drop, if it takes one.
   */
  give(): Given {
    const target = this.#target;
    if (!target) throw new PageFault('element_stale', 'the page changed its document meanwhile; take a new snapshot');
    const transfer = new DataTransfer();
    for (const {name, mimeType, parts} of this.#staged) {
      transfer.items.add(new File(parts, name, {type: mimeType, lastModified: Date.now()}));
    }
    const input = isFileInput(target) ? target : undefined;
    const given = input ? put(input, transfer) : drop(target, transfer);
    // What a place did not take may still go to the chooser that a click on it opens.
    if (given.taken) this.#staged = [];
    return given;
  }

  #input(input: HTMLInputElement, files: FileName[]): Receiver {
    const what = spoken(input, this.#registry);
    const why = disabled(input);
    if (why !== undefined)
      throw new PageFault('element_blocked', `${what} is ${why}, so nothing was given to it`, {step: 'enabled'});
    if (files.length > 1 && !input.multiple) {
      throw new PageFault(
        'invalid_action',
        `${what} takes one file at a time, and ${files.length} were given; give one`,
      );
    }
    const refused = files.find((file) => !accepted(file, input.accept));
    if (refused) {
      const kind = `${JSON.stringify(refused.name)} (${refused.mimeType || 'no type'})`;
      throw new PageFault(
        'invalid_action',
        `${what} accepts ${input.accept} only, and ${kind} is none; give another file`,
      );
    }
    return {kind: 'input', clickable: false, what, ...scene()};
  }
}

/** InputOf is the file input that a target stands for: itself, its label's, or the only one inside of it. */
function inputOf(target: Element): HTMLInputElement | undefined {
  if (isFileInput(target)) return target;
  for (const at of flatAncestors(target)) {
    if (at instanceof HTMLLabelElement) return isFileInput(at.control) ? at.control : undefined;
    if (at.matches(buttons)) return undefined;
  }
  const inside = [...descendants(target)].filter(isFileInput);
  return inside.length === 1 ? inside[0] : undefined;
}

function isFileInput(element: Element | null | undefined): element is HTMLInputElement {
  return element instanceof HTMLInputElement && element.type === 'file';
}

/** OpensChooser tells what a person would click to be asked for a file; everything else they would drop it on. */
function opensChooser(target: Element): boolean {
  for (const at of flatAncestors(target)) if (at.matches(buttons)) return true;
  return false;
}

/** Pointed tells whether the page shows by the pointer that a click does something there. */
function pointed(target: Element): boolean {
  return getComputedStyle(target).cursor === 'pointer';
}

/** Put fills a file input. */
function put(input: HTMLInputElement, transfer: DataTransfer): Given {
  input.files = transfer.files;
  // Read before the page is told: many pages take the files and empty the input at once.
  const files = Array.from(input.files, ({name, size}) => ({name, size}));
  input.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
  input.dispatchEvent(new Event('change', {bubbles: true}));
  return {taken: files.length > 0, files};
}

/** Drop plays a drop of files; a place that takes none says so by not preventing what the browser would do. */
function drop(target: Element, transfer: DataTransfer): Given {
  const box = target.getBoundingClientRect();
  const at = {clientX: box.left + box.width / 2, clientY: box.top + box.height / 2};
  const send = (type: string): boolean => {
    const event = new DragEvent(type, {...at, bubbles: true, cancelable: true, composed: true, dataTransfer: transfer});
    return !target.dispatchEvent(event);
  };
  send('dragenter');
  // The second dragover is for those that get ready on the first.
  const taken = [send('dragover'), send('dragover')].some(Boolean);
  if (!taken) {
    send('dragleave');
    return {taken, files: []};
  }
  send('drop');
  return {taken, files: Array.from(transfer.files, ({name, size}) => ({name, size}))};
}

function scene(): {url: string; title: string} {
  return {url: location.href, title: document.title};
}
