/**
 * From what an agent names to a point where a click lands on it: resolve, enabled, scroll, geometry, stable,
 * hit test. Each step is a function of its own; {@link locate} runs them and arms the guard.
 */

import type {Acceptance, TargetRef} from './actapi';
import {deepQuery} from './composed';
import {type Point, boxesOf, candidatePoints, viewportBox} from './geometry';
import {accepts, elementAt, flatAncestors, layerOf} from './hittest';
import {nameOf} from './names';
import type {Registry} from './registry';
import {roleOf, writtenRole} from './roles';
import {moving, nextFrame, pause, stable} from './stability';
import {hasInnerRole} from './strangers';

/** The step of the pipeline that refused, as `Error.step` of the protocol names it. */
export type Step = 'resolve' | 'enabled' | 'scroll' | 'geometry' | 'stable' | 'hit test' | 'input' | 'verify';

/** Described is an element as an error or a result speaks of it. */
export interface Described {
  /** Absent: never told to an agent. */
  readonly uid?: string;
  readonly role: string;
  readonly name: string;
}

/** Refusal says why nothing was done, for an agent: what happened, what was expected, what to do next. */
export interface Refusal {
  readonly ok: false;
  readonly code: 'element_not_found' | 'element_stale' | 'element_blocked' | 'invalid_action';
  readonly step: Step;
  readonly message: string;
  /** Elements that the message speaks of and that have a uid. */
  readonly elements: readonly Described[];
}

/** Resolved is the element that a target names now. */
export interface Resolved {
  readonly ok: true;
  readonly element: Element;
}

/** Aim is a point at which the target is hit. */
export interface Aim {
  readonly ok: true;
  /** CSS pixels of the frame's viewport. */
  readonly point: Point;
  /** How the hit there counts as one on the target. */
  readonly via: Acceptance;
}

/** How long to wait before each try for a target that is covered or does not take the pointer, in milliseconds: a menu
 * that closes, a list that ignores the pointer while it scrolls. */
const retries = [0, 50, 100, 200, 300] as const;

/** Refuse makes a refusal. */
export function refuse(
  code: Refusal['code'],
  step: Step,
  message: string,
  elements: readonly Described[] = [],
): Refusal {
  return {ok: false, code, step, message, elements};
}

/** Describe gives an element's role and name, and its uid if an agent was told one. */
export function describe(element: Element, registry: Registry): Described {
  const uid = registry.uid(element);
  const described = {role: roleOf(element, element.localName, writtenRole(element)), name: nameOf(element)};
  return uid === undefined ? described : {uid, ...described};
}

/** Spoken is an element in a sentence: `e7 button "Save"`, or its tag when it has no role of its own. */
export function spoken(element: Element, registry: Registry): string {
  const {uid, role, name} = describe(element, registry);
  const what = role === 'generic' || role === 'none' ? tagOf(element) : role;
  return [uid, what, name === '' ? undefined : JSON.stringify(name)].filter((part) => part !== undefined).join(' ');
}

/**
 * Resolve finds the element that a target names. A uid stands for the element itself, and only as long as it
 * is what the agent was last told; a selector goes through open and closed shadow roots.
 */
export function resolve(ref: TargetRef, registry: Registry): Resolved | Refusal {
  return ref.uid === undefined ? resolveSelector(ref.selector ?? '') : resolveUid(ref.uid, registry);
}

function resolveUid(uid: string, registry: Registry): Resolved | Refusal {
  const found = registry.find(uid);
  if (found.state === 'unknown') {
    return refuse(
      'element_not_found',
      'resolve',
      `no element of this page was ever told as ${uid}; take a new snapshot`,
    );
  }
  const {role, name} = found.told;
  if (found.state === 'gone') {
    return refuse(
      'element_stale',
      'resolve',
      `${uid} (${role} ${JSON.stringify(name)}) is no longer in the page; take a new snapshot before you go on`,
    );
  }
  const now = describe(found.element, registry);
  // Small and capital letters may be a matter of style; the role of a custom element may have become known since.
  const sameRole = now.role === role || (role === 'generic' && hasInnerRole(found.element.localName));
  if (sameRole && now.name.toLowerCase() === name.toLowerCase()) return {ok: true, element: found.element};
  return refuse(
    'element_stale',
    'resolve',
    `${uid} was told as ${role} ${JSON.stringify(name)} and is now ${now.role} ${JSON.stringify(now.name)}; ` +
      'take a new snapshot, then choose again',
    [now],
  );
}

function resolveSelector(selector: string): Resolved | Refusal {
  let element: Element | null;
  try {
    element = deepQuery(document, selector);
  } catch {
    return refuse('invalid_action', 'resolve', `${JSON.stringify(selector)} is no valid CSS selector; mend it`);
  }
  if (element) return {ok: true, element};
  return refuse(
    'element_not_found',
    'resolve',
    `nothing in the page matches the selector ${JSON.stringify(selector)}; take a snapshot and use a uid`,
  );
}

/** Disabled says why an element takes no input, in words that end a sentence; undefined if it does. */
export function disabled(target: Element): string | undefined {
  const control = target instanceof HTMLLabelElement ? target.control : null;
  for (const from of control ? [target, control] : [target]) {
    for (const at of flatAncestors(from)) {
      const which = at === target ? '' : ` by its ${tagOf(at)}`;
      if (at instanceof HTMLElement && at.inert) return `inert${which}`;
      if (at.getAttribute('aria-disabled') === 'true') return `disabled${which} (aria-disabled)`;
      // A fieldset disables its controls, which then match themselves; those in its legend stay enabled.
      if (at.matches('button:disabled,input:disabled,select:disabled,textarea:disabled,option:disabled')) {
        return at === target && at.closest('fieldset:disabled') ? 'disabled by its fieldset' : `disabled${which}`;
      }
      // Components write it on their host, as the built-in controls do.
      if (at.localName.includes('-') && at.hasAttribute('disabled')) return `disabled${which}`;
    }
  }
  return undefined;
}

/** Enabled refuses a target that takes no input. */
export function enabled(target: Element, registry: Registry): Refusal | undefined {
  const elsewhere = leadsOutside(target);
  if (elsewhere !== undefined) {
    return refuse(
      'element_blocked',
      'enabled',
      `${spoken(target, registry)} leads to ${elsewhere}, which another program on the user's machine would open, ` +
        'so nothing was done; use the address itself, or ask the user',
      told([describe(target, registry)]),
    );
  }
  const why = disabled(target);
  if (why === undefined) return undefined;
  return refuse(
    'element_blocked',
    'enabled',
    `${spoken(target, registry)} is ${why}, so nothing was done; do first what enables it`,
    told([describe(target, registry)]),
  );
}

// What a browser opens by itself; all else (mailto:, tel:, an app's own scheme) starts another program.
const ownSchemes = new Set(
  ['http', 'https', 'javascript', 'about', 'blob', 'data', 'file', 'filesystem', 'view-source'].map(
    (name) => `${name}:`,
  ),
);

/** The address of the link that the target is or stands in, when no browser opens it. */
function leadsOutside(target: Element): string | undefined {
  for (const element of flatAncestors(target)) {
    if (!(element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement) || !element.hasAttribute('href'))
      continue;
    const scheme = element.protocol;
    return scheme === ':' || ownSchemes.has(scheme) || scheme.startsWith('chrome') ? undefined : element.href;
  }
  return undefined;
}

/** What a try to point at the target found. */
type Try = Aim | {readonly ok: false; readonly step: 'geometry' | 'hit test'; readonly blocker?: Element | undefined};

/** AimAt looks for a free point of the target where it is now, without scrolling. */
export function aimAt(target: Element): Try {
  const view = viewportBox();
  let blocker: Element | undefined;
  let painted = false;
  for (const surface of surfacesOf(target)) {
    const boxes = boxesOf(surface);
    painted ||= boxes.length > 0;
    for (const point of candidatePoints(boxes, view)) {
      const hit = elementAt(point);
      const via = hit ? accepts(hit, target) : undefined;
      if (via !== undefined) return {ok: true, point, via};
      blocker ??= hit ?? undefined;
    }
  }
  return {ok: false, step: painted ? 'hit test' : 'geometry', blocker};
}

/** SurfacesOf is what can be pointed at in a target's place: itself, and for a checkbox or radio its labels, since pages
 * hide the box and style the label. */
function surfacesOf(target: Element): Element[] {
  if (!(target instanceof HTMLInputElement) || !/^(checkbox|radio|file)$/.test(target.type)) return [target];
  return [target, ...(target.labels ?? [])];
}

/** BringIntoView scrolls every container that holds the target, at once whatever the page's scroll-behavior says. */
export function bringIntoView(target: Element, block: ScrollLogicalPosition): void {
  const surface = surfacesOf(target).find((at) => boxesOf(at).length > 0) ?? target;
  surface.scrollIntoView({block, inline: 'nearest', behavior: 'instant'});
}

/** InView tells whether at least a part of the target's boxes lies in the viewport. */
export function inView(target: Element): boolean {
  return candidatePoints(boxesOf(target), viewportBox(), 1).length > 0;
}

/**
 * Locate finds where to point at the target: where it is, else scrolled into view, else where a header or
 * banner leaves it free, else after a moment. It refuses by naming what is in the way.
 */
export async function locate(target: Element, registry: Registry): Promise<Aim | Refusal> {
  let tried: Try | undefined;
  for (const wait of retries) {
    if (wait > 0) await pause(wait);
    if (!target.isConnected) {
      return refuse(
        'element_stale',
        'stable',
        'the element left the page before it could be reached; take a new snapshot',
      );
    }
    tried = aimAt(target);
    for (const block of ['center', 'start', 'end'] as const) {
      if (tried.ok) break;
      bringIntoView(target, block);
      // The page hears of the scroll with the next frame, and may answer it: a list that then ignores the pointer.
      await nextFrame();
      tried = aimAt(target);
    }
    if (tried.ok && moving(target)) {
      await stable(target);
      tried = aimAt(target);
    }
    if (tried.ok) return tried;
  }
  return unreachable(target, tried?.ok === false ? tried.blocker : undefined, registry);
}

/** Unreachable says what keeps a target from being pointed at. */
function unreachable(target: Element, blocker: Element | undefined, registry: Registry): Refusal {
  const what = spoken(target, registry);
  const self = told([describe(target, registry)]);
  if (target instanceof HTMLOptionElement) {
    return refuse(
      'invalid_action',
      'geometry',
      `${what} is an option of a closed list; choose it with select on the list`,
    );
  }
  if (!blocker) {
    const why = boxesOf(target).length > 0 ? 'cannot be scrolled into view' : hiddenBecause(target);
    return refuse('element_blocked', 'geometry', `${what} ${why}, so nothing was done; show it first`, self);
  }
  const layer = layerOf(blocker, target);
  if ([...flatAncestors(target)].includes(blocker)) {
    const why = getComputedStyle(target).pointerEvents === 'none' ? ' (pointer-events: none)' : '';
    return refuse(
      'element_blocked',
      'hit test',
      `${what} lets the pointer through to ${spoken(blocker, registry)}${why}, so nothing was done`,
      self,
    );
  }
  const buttons = buttonsIn(layer).map((button) => describe(button, registry));
  const next = buttons.length > 0 ? `deal with it first: ${buttons.map(short).join(' or ')}` : 'deal with it first';
  const inner = layer === blocker ? '' : ` (${spoken(blocker, registry)})`;
  return refuse(
    'element_blocked',
    // What moves may be out of the way in a moment.
    moving(target) || moving(blocker) ? 'stable' : 'hit test',
    `${what} is covered by ${spoken(layer, registry)}${inner}, so nothing was done; ${next}`,
    told([...buttons, describe(layer, registry)]),
  );
}

function hiddenBecause(target: Element): string {
  for (const at of flatAncestors(target)) {
    const style = getComputedStyle(at);
    const which = at === target ? '' : ` (its ${tagOf(at)})`;
    if (style.display === 'none') return `is hidden${which} by display: none`;
    if (at === target && style.visibility !== 'visible') return `is hidden by visibility: ${style.visibility}`;
    if (at instanceof HTMLDetailsElement && !at.open) return `is in a closed details element`;
  }
  return 'has no size on the screen';
}

function buttonsIn(layer: Element): Element[] {
  const found = Array.from(
    layer.querySelectorAll('button,[role=button],input[type=button],input[type=submit],a[href]'),
  );
  return found.filter((button) => button.checkVisibility({visibilityProperty: true})).slice(0, 5);
}

function short({uid, role, name}: Described): string {
  return `${uid === undefined ? '' : `${uid} `}${role} ${JSON.stringify(name)}`;
}

/** Told keeps those that an agent can name in its next call. */
function told(elements: readonly Described[]): Described[] {
  return elements.filter((element) => element.uid !== undefined);
}

/** TagOf tells an element without a role from others by its id, else by its classes, which a page's author named it by. */
function tagOf(element: Element): string {
  const {localName, id} = element;
  if (id !== '') return `<${localName} id=${JSON.stringify(id)}>`;
  const classes = Array.from(element.classList).slice(0, 3).join(' ').slice(0, 80);
  return classes === '' ? `<${localName}>` : `<${localName} class=${JSON.stringify(classes)}>`;
}
