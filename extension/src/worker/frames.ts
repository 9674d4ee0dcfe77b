/** The frames of one tab over all of its CDP sessions: which there are, where each lives, and its contexts. */

import type {Protocol} from 'devtools-protocol';
import {type Send, isEvent} from './cdp';
import {ActionError, abortedBy} from './errors';
import {type Place, here, within} from './place';

/** Frame is one frame as it is now; the object stays the same for the frame's life. */
export interface Frame {
  /** CDP's frame id; of an out-of-process frame it is the target id as well. */
  readonly id: string;
  /** The parent's id; undefined for the top frame. */
  readonly parentId: string | undefined;
  /** The flat CDP session that the frame lives in; undefined for the tab's own. */
  session: string | undefined;
  url: string;
  name: string;
  mimeType: string;
  /** Names the document: a new one for each document, the old one again after back from the cache. */
  loaderId: string;
  /** Set when the browser shows an error page: the address that could not be reached. */
  unreachableUrl: string | undefined;
  /** The lifecycle events that the document has seen: `DOMContentLoaded`, `load`, `networkIdle`, … */
  readonly lifecycle: Set<string>;
}

/** Context addresses one JavaScript world of one document in Runtime commands. */
export interface Context {
  session: string | undefined;
  uniqueContextId: string;
  /** The number that older commands want, valid in its session only. */
  contextId: number;
}

interface KnownContext extends Context {
  frameId: string;
  kind: 'main' | 'ours' | 'other';
}

/** FrameTree is kept up to date by the tab, which passes it the events of each session. */
export class FrameTree {
  readonly #frames = new Map<string, Frame>();
  // By uniqueContextId. Chrome tells of a context before it tells of the navigation that made it.
  readonly #contexts = new Map<string, KnownContext>();
  readonly #disowned = new Set<string>();
  readonly #waiting = new Set<() => void>();
  readonly #send: Send;
  readonly #origin: string;

  /**
   * @param send sends to the tab.
   * @param origin our extension's origin: the isolated world that has it is ours.
   */
  constructor(send: Send, origin: string) {
    this.#send = send;
    this.#origin = origin;
  }

  /** Top is the tab's top frame; undefined before the first attach. */
  get top(): Frame | undefined {
    for (const frame of this.#frames.values()) if (frame.parentId === undefined) return frame;
    return undefined;
  }

  /** Get gives a frame by its id. */
  get(id: string): Frame | undefined {
    return this.#frames.get(id);
  }

  /** All gives every frame, parents before their children. */
  all(): Frame[] {
    const out: Frame[] = [];
    const down = (parent: string | undefined): void => {
      for (const frame of this.children(parent)) {
        out.push(frame);
        down(frame.id);
      }
    };
    down(undefined);
    return out;
  }

  /** Children gives the direct children of a frame, in the order in which they came. */
  children(id: string | undefined): Frame[] {
    return [...this.#frames.values()].filter((frame) => frame.parentId === id);
  }

  /** Ours is our isolated world in a frame's document; undefined while nothing of ours was injected there. */
  ours(frameId: string): Context | undefined {
    return this.#context(frameId, 'ours');
  }

  /** IsOurs tells whether a command's parameters name our isolated world in some frame. */
  isOurs(params: object | undefined): boolean {
    if (!params || !('uniqueContextId' in params) || typeof params.uniqueContextId !== 'string') return false;
    return this.#contexts.get(params.uniqueContextId)?.kind === 'ours';
  }

  /** Main is the page's own world in a frame. */
  main(frameId: string): Context | undefined {
    return this.#context(frameId, 'main');
  }

  /** FrameOf is the frame in which a context of a session lives, as long as that is known. */
  frameOf(contextId: number, session: string | undefined): Frame | undefined {
    for (const context of this.#contexts.values()) {
      if (context.contextId === contextId && context.session === session) return this.#frames.get(context.frameId);
    }
    return undefined;
  }

  /**
   * WaitForOurs waits until our isolated world is there: the word of it may come after chrome.scripting's.
   *
   * @throws {@link ActionError} what the signal was aborted with.
   */
  async waitForOurs(frameId: string, signal: AbortSignal): Promise<Context> {
    return this.waitFor(() => this.ours(frameId), signal);
  }

  /** WaitFor waits until a look at the tree gives something; it looks again after each change. */
  async waitFor<T>(look: () => T | undefined, signal: AbortSignal): Promise<T> {
    for (;;) {
      if (signal.aborted) throw abortedBy(signal);
      const found = look();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal.addEventListener('abort', wake);
      });
    }
  }

  /**
   * Place tells where a frame's viewport lies in the tab's: coordinates that a page script measured in the
   * frame (getBoundingClientRect) become the tab's by `toTop(place, point)`. Two commands for each level.
   *
   * @throws {@link ActionError} `element_stale` when the frame is gone or its element has no box.
   */
  async place(frameId: string, signal?: AbortSignal): Promise<Place> {
    const frame = this.#frames.get(frameId);
    if (!frame) throw gone();
    const parent = frame.parentId === undefined ? undefined : this.#frames.get(frame.parentId);
    if (!parent) return here;
    const options = {session: parent.session, signal};
    const owner = await this.#send('DOM.getFrameOwner', {frameId}, options).catch((error: unknown) => {
      throw gone(error);
    });
    const {model} = await this.#send('DOM.getBoxModel', {backendNodeId: owner.backendNodeId}, options).catch(
      (error: unknown) => {
        throw gone(error);
      },
    );
    // The box is in coordinates of the parent's process: of the top if that is the tab's own, else of its root.
    const root = this.#rootOf(parent);
    const outer = root.parentId === undefined ? here : await this.place(root.id, signal);
    return within(outer, model.content, contentSize(model));
  }

  /**
   * InSession tells where the coordinates of a session's own quads (DOM.getContentQuads) lie in the tab's
   * viewport: the place of the topmost frame of that process.
   */
  async inSession(session: string | undefined, signal?: AbortSignal): Promise<Place> {
    if (session === undefined) return here;
    const root = [...this.#frames.values()].find((frame) => frame.session === session && this.#rootOf(frame) === frame);
    if (!root) throw gone();
    return this.place(root.id, signal);
  }

  /** Learn takes in what Page.getFrameTree says of a session. */
  learn(tree: Protocol.Page.FrameTree, session: string | undefined): void {
    this.#put(tree.frame, session);
    for (const child of tree.childFrames ?? []) this.learn(child, session);
    this.#wake();
  }

  /** Follow takes in any event that concerns frames or contexts, and leaves the others. */
  follow(method: string, params: unknown, session: string | undefined): void {
    if (isEvent('Runtime.executionContextCreated', method, params)) this.contextCreated(params, session);
    else if (isEvent('Runtime.executionContextDestroyed', method, params)) this.contextDestroyed(params);
    else if (isEvent('Runtime.executionContextsCleared', method, params)) this.contextsCleared(session);
    else if (isEvent('Page.lifecycleEvent', method, params)) this.lifecycle(params);
    else if (isEvent('Page.frameAttached', method, params)) this.attached(params, session);
    else if (isEvent('Page.frameNavigated', method, params)) this.navigated(params, session);
    else if (isEvent('Page.navigatedWithinDocument', method, params)) this.navigatedWithin(params);
    else if (isEvent('Page.frameDetached', method, params)) this.detached(params, session);
  }

  /** Attached handles Page.frameAttached. */
  attached(event: Protocol.Page.FrameAttachedEvent, session: string | undefined): void {
    const known = this.#frames.get(event.frameId);
    if (known) known.session = session;
    else this.#frames.set(event.frameId, blank(event.frameId, event.parentFrameId, session));
    this.#wake();
  }

  /** Navigated handles Page.frameNavigated: a new document in a frame, or an old one out of the cache. */
  navigated(event: Protocol.Page.FrameNavigatedEvent, session: string | undefined): void {
    this.#removeChildren(event.frame.id);
    const frame = this.#put(event.frame, session);
    // A document out of the back/forward cache was complete before, and fires nothing again.
    if (event.type === 'BackForwardCacheRestore') for (const name of complete) frame.lifecycle.add(name);
    this.#wake();
  }

  /** NavigatedWithin handles Page.navigatedWithinDocument. */
  navigatedWithin(event: Protocol.Page.NavigatedWithinDocumentEvent): void {
    const frame = this.#frames.get(event.frameId);
    if (frame) frame.url = event.url;
    this.#wake();
  }

  /** Detached handles Page.frameDetached; a frame that only moves to another process is kept. */
  detached(event: Protocol.Page.FrameDetachedEvent, session: string | undefined): void {
    const frame = this.#frames.get(event.frameId);
    if (!frame) return;
    // The new process may have been told of before the old one lets go.
    if (frame.session !== session) return;
    if (event.reason === 'swap') this.#removeChildren(event.frameId);
    else this.#remove(frame);
    this.#wake();
  }

  /** Lifecycle handles Page.lifecycleEvent. */
  lifecycle(event: Protocol.Page.LifecycleEventEvent): void {
    const frame = this.#frames.get(event.frameId);
    if (!frame) return;
    if (event.name === 'init' || event.loaderId !== frame.loaderId) {
      frame.lifecycle.clear();
      frame.loaderId = event.loaderId;
    }
    frame.lifecycle.add(event.name);
    this.#wake();
  }

  /** SessionGone forgets a child session: its contexts, and the frames that no other session took over. */
  sessionGone(session: string): void {
    for (const [id, context] of this.#contexts) if (context.session === session) this.#contexts.delete(id);
    for (const frame of [...this.#frames.values()]) if (frame.session === session) this.#remove(frame);
    this.#wake();
  }

  /** ContextCreated handles Runtime.executionContextCreated. */
  contextCreated({context}: Protocol.Runtime.ExecutionContextCreatedEvent, session: string | undefined): void {
    const aux: unknown = context.auxData;
    if (!isAux(aux)) return;
    const kind =
      aux.isDefault === true
        ? 'main'
        : (context.origin === this.#origin || context.name === this.#origin) && !this.#disowned.has(context.uniqueId)
          ? 'ours'
          : 'other';
    this.#contexts.set(context.uniqueId, {
      session,
      uniqueContextId: context.uniqueId,
      contextId: context.id,
      frameId: aux.frameId,
      kind,
    });
    this.#wake();
  }

  /** ContextDestroyed handles Runtime.executionContextDestroyed. */
  contextDestroyed(event: Protocol.Runtime.ExecutionContextDestroyedEvent): void {
    this.forgetContext(event.executionContextUniqueId);
  }

  /** ForgetContext forgets a context that is gone. */
  forgetContext(uniqueContextId: string): void {
    this.#contexts.delete(uniqueContextId);
  }

  /** Disown makes a world that has our name none of ours: an earlier build of the extension left it. */
  disown(uniqueContextId: string): void {
    this.#disowned.add(uniqueContextId);
    const context = this.#contexts.get(uniqueContextId);
    if (context) this.#contexts.set(uniqueContextId, {...context, kind: 'other'});
  }

  /** ContextsCleared handles Runtime.executionContextsCleared. */
  contextsCleared(session: string | undefined): void {
    for (const [id, context] of this.#contexts) if (context.session === session) this.#contexts.delete(id);
  }

  /** Clear forgets everything: the attachment is gone. */
  clear(): void {
    this.#frames.clear();
    this.#contexts.clear();
    this.#disowned.clear();
    this.#wake();
  }

  #context(frameId: string, kind: KnownContext['kind']): Context | undefined {
    const frame = this.#frames.get(frameId);
    let found: Context | undefined;
    // The last one is the newest: while a document is replaced both may be known.
    for (const context of this.#contexts.values()) {
      if (context.frameId === frameId && context.kind === kind && context.session === frame?.session) found = context;
    }
    return found;
  }

  /** RootOf is the topmost frame of the process that a frame lives in. */
  #rootOf(frame: Frame): Frame {
    let root = frame;
    for (;;) {
      const parent = root.parentId === undefined ? undefined : this.#frames.get(root.parentId);
      if (parent?.session !== frame.session || !parent) return root;
      root = parent;
    }
  }

  #put(told: Protocol.Page.Frame, session: string | undefined): Frame {
    let frame = this.#frames.get(told.id);
    if (!frame) {
      // A top frame may be exchanged for one with another id (prerendering): the old one is gone then.
      // Frames of other processes may be known before the top that they belong to: those stay.
      if (told.parentId === undefined) for (const old of this.children(undefined)) this.#remove(old);
      frame = blank(told.id, told.parentId, session);
      this.#frames.set(told.id, frame);
    }
    if (frame.loaderId !== told.loaderId) frame.lifecycle.clear();
    frame.session = session;
    frame.loaderId = told.loaderId;
    frame.url = told.url + (told.urlFragment ?? '');
    frame.name = told.name ?? '';
    frame.mimeType = told.mimeType;
    frame.unreachableUrl = told.unreachableUrl;
    return frame;
  }

  #remove(frame: Frame): void {
    this.#removeChildren(frame.id);
    this.#frames.delete(frame.id);
  }

  #removeChildren(id: string): void {
    for (const child of this.children(id)) this.#remove(child);
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}

const complete = ['init', 'DOMContentLoaded', 'load', 'networkAlmostIdle', 'networkIdle'];

function blank(id: string, parentId: string | undefined, session: string | undefined): Frame {
  return {
    id,
    parentId,
    session,
    url: '',
    name: '',
    mimeType: '',
    loaderId: '',
    unreachableUrl: undefined,
    lifecycle: new Set(),
  };
}

function isAux(aux: unknown): aux is {frameId: string; isDefault?: boolean; type?: string} {
  return typeof aux === 'object' && aux !== null && 'frameId' in aux && typeof aux.frameId === 'string';
}

function contentSize(model: Protocol.DOM.BoxModel): {width: number; height: number} {
  // The model's size is that of the border box, before transforms; the content's share of it is the same after.
  const [content, border] = [lengths(model.content), lengths(model.border)];
  return {
    width: border.width === 0 ? 0 : (model.width * content.width) / border.width,
    height: border.height === 0 ? 0 : (model.height * content.height) / border.height,
  };
}

function lengths(quad: Protocol.DOM.Quad): {width: number; height: number} {
  const [ax = 0, ay = 0, bx = 0, by = 0, , , dx = 0, dy = 0] = quad;
  return {width: Math.hypot(bx - ax, by - ay), height: Math.hypot(dx - ax, dy - ay)};
}

function gone(cause?: unknown): ActionError {
  if (cause instanceof ActionError && cause.code !== 'internal') return cause;
  return new ActionError('element_stale', 'the frame that held the element is gone or not shown; extract again', {
    cause,
  });
}
