/** A mouse button that is held down in a tab, and what is dragged with it: by the page's own scripts, or by the browser. */

import type {Protocol} from 'devtools-protocol';
import {ActionError} from './errors';
import type {ButtonName, Dispatched} from './input';
import type {Point} from './place';
import type {Tab} from './tab';

const bits: Readonly<Record<ButtonName, number>> = {left: 1, right: 2, middle: 4};

/** How long the browser may take to hand over a drag that the page has begun, in milliseconds. */
const handoverMs = 1_000;

/** How long what lets go of everything may take, in milliseconds. */
const letGoMs = 2_000;

/**
 * Grip holds a mouse button down. When the page begins a drag (HTML5) the browser hands it to us instead of to
 * the desktop, and the moves and the release become those of that drag: the desktop's own would take the user's
 * pointer, and shows the page neither dragover nor pointerup. Make one by {@link Grip.press}, and release or drop
 * it whatever happens: while it lasts no person can drag in the tab.
 */
export class Grip {
  readonly button: ButtonName;
  readonly #tab: Tab;
  readonly #sessions: readonly (string | undefined)[];
  readonly #off: () => void;
  readonly #from: Point;
  #at: Point;
  #drag: Protocol.Input.DragData | undefined;
  #moved = false;
  #ended = false;
  #handed: (() => void) | undefined;

  private constructor(tab: Tab, button: ButtonName, at: Point, session: string | undefined) {
    this.#tab = tab;
    this.button = button;
    this.#from = at;
    this.#at = at;
    this.#sessions = session === undefined ? [undefined] : [undefined, session];
    this.#off = tab.on('Input.dragIntercepted', ({data}) => {
      this.#drag = data;
      this.#handed?.();
    });
  }

  /**
   * Press moves the pointer to a point of the tab's viewport and presses the button there.
   *
   * @param session the CDP session of the frame that is under the point, where it has one of its own.
   * @throws {@link ActionError} what the tab's send throws; the button is then up again.
   */
  static async press(
    tab: Tab,
    at: Point,
    {button = 'left', session, signal}: {button?: ButtonName; session?: string | undefined; signal: AbortSignal},
  ): Promise<Grip> {
    const grip = new Grip(tab, button, at, session);
    const options = {signal};
    try {
      await Promise.all([
        ...grip.#sessions.map((id) => tab.send('Input.setInterceptDrags', {enabled: true}, {session: id, signal})),
        tab.send(
          'Input.dispatchMouseEvent',
          {type: 'mouseMoved', ...at, button: 'none', pointerType: 'mouse'},
          options,
        ),
        tab.send('Input.dispatchMouseEvent', grip.#mouse('mousePressed', at, bits[button]), options),
      ]);
    } catch (thrown) {
      grip.drop();
      throw thrown;
    }
    return grip;
  }

  /** Dragging tells whether the page has begun a drag that the browser carries out. */
  get dragging(): boolean {
    return this.#drag !== undefined;
  }

  /** Handed waits until the browser has handed over a drag that the page is known to have begun; false if it does not. */
  async handed(): Promise<boolean> {
    if (this.#drag) return true;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, handoverMs);
      this.#handed = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#handed = undefined;
    return this.dragging;
  }

  /** Move moves what is held to a point, and returns when the page has seen it: moves in a row would become one. */
  async move(to: Point, signal: AbortSignal): Promise<void> {
    this.#at = to;
    if (!this.#drag) {
      await this.#tab.send('Input.dispatchMouseEvent', this.#mouse('mouseMoved', to, bits[this.button]), {signal});
      return;
    }
    this.#moved = true;
    // A frame of another process sees a drag only once it was entered; what was entered before is not entered again.
    await Promise.all([this.#over('dragEnter', signal), this.#over('dragOver', signal)]);
  }

  /** Release lets go where the pointer is: a drop, if something is dragged. A dialog that it opens ends it as well. */
  async release(signal: AbortSignal): Promise<Dispatched> {
    let elsewhere = false;
    try {
      if (this.#drag) {
        if (!this.#moved) await this.move(this.#at, signal);
        elsewhere = await this.#isElsewhere(signal);
        await this.#over('drop', signal);
        if (elsewhere) this.#leaveSource();
      } else {
        await this.#tab.send('Input.dispatchMouseEvent', this.#mouse('mouseReleased', this.#at, 0), {signal});
      }
      return {dialog: false};
    } catch (thrown) {
      if (!(thrown instanceof ActionError) || thrown.code !== 'dialog_open') throw thrown;
      if (elsewhere) this.#afterDialog();
      return {dialog: true};
    } finally {
      this.#end();
    }
  }

  /** Drop lets go without dropping on anything, as far as that can be: for when the action is given up. */
  drop(): void {
    if (this.#ended) return;
    const options = {timeoutMs: letGoMs};
    if (this.#drag) this.#leaveSource();
    void this.#tab
      .send('Input.dispatchMouseEvent', this.#mouse('mouseReleased', this.#at, 0), options)
      .catch(() => undefined);
    this.#end();
  }

  /** IsElsewhere tells whether the place belongs to another process than the one that the drag began in. */
  async #isElsewhere(signal: AbortSignal): Promise<boolean> {
    const tab = this.#tab;
    const {cssLayoutViewport: view} = await tab.send('Page.getLayoutMetrics', undefined, {signal});
    // This command counts from the document's corner, not from the viewport's.
    const at = {x: Math.floor(this.#at.x + view.pageX), y: Math.floor(this.#at.y + view.pageY)};
    const hit = await tab.send('DOM.getNodeForLocation', at, {signal});
    // The look stops at the element that holds a frame of another process.
    const {node} = await tab.send('DOM.describeNode', {backendNodeId: hit.backendNodeId}, {signal});
    return tab.frames.get(node.frameId ?? hit.frameId)?.session !== this.#sessions.at(-1);
  }

  /**
   * LeaveSource tells the process that the drag began in that it is over: of a drop in another process the browser
   * tells only that one, and until it hears of the end a page takes no mouse input.
   */
  #leaveSource(): void {
    const {x, y} = this.#from;
    const data = this.#drag;
    if (!data) return;
    void this.#tab
      .send('Input.dispatchDragEvent', {type: 'dragCancel', x, y, data}, {timeoutMs: letGoMs})
      .catch(() => undefined);
  }

  #afterDialog(): void {
    const off = this.#tab.on('Page.javascriptDialogClosed', () => {
      off();
      this.#leaveSource();
    });
  }

  async #over(type: 'dragEnter' | 'dragOver' | 'drop', signal: AbortSignal): Promise<void> {
    if (this.#drag) await this.#tab.send('Input.dispatchDragEvent', {type, ...this.#at, data: this.#drag}, {signal});
  }

  #mouse(
    type: 'mousePressed' | 'mouseMoved' | 'mouseReleased',
    at: Point,
    buttons: number,
  ): Protocol.Input.DispatchMouseEventRequest {
    const clickCount = type === 'mouseMoved' ? 0 : 1;
    return {type, ...at, button: this.button, buttons, clickCount, pointerType: 'mouse'};
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#off();
    for (const session of this.#sessions) {
      void this.#tab
        .send('Input.setInterceptDrags', {enabled: false}, {session, timeoutMs: letGoMs, pastDialog: true})
        .catch(() => undefined);
    }
  }
}
