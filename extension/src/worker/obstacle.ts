/** Whether a page is an obstacle: a log-in wall, a captcha or a refusal, told from what extract has read anyway. */

import type {Element, Obstacle} from '../protocol.gen';
import {
  CHALLENGE_TITLES,
  CHALLENGE_WORDS,
  DENIED_TITLES,
  DENIED_WORDS,
  NEW_PASSWORD,
  NO_PASSWORD,
  PASSWORD,
  REGISTER,
  SIGN_IN,
  SIGN_IN_TITLES,
  SIGN_IN_WORDS,
  SINGLE_SIGN_ON,
} from './obstaclewords';

/** Seen is what the search looks at. */
export interface Seen {
  /** The address, in lower case. */
  url: string;
  /** The title, in lower case. */
  title: string;
  /** The beginning of the page's Markdown: the first 4,000 characters count. */
  markdown: string;
  /** The interactive elements, as extract lists them. */
  elements: readonly Pick<Element, 'role' | 'name'>[];
  /** If true, a captcha that a person is asked to solve is on the page. */
  captchaFrame: boolean;
}

const HEAD = 4000;
// A page with less to say than this is about what it asks for.
const LITTLE = 1500;
// A page that is nothing but a notice.
const SHORT = 700;
// What a page with a log-in form may have besides and still be one.
const MOST_LINKS = 25;
const MOST_FIELDS = 4;

/**
 * DetectObstacle finds out what keeps an agent from a page, in five layers, cheapest first; the first that
 * finds something ends the search. It rather misses one than cries wolf: `high` makes an agent give up its plan.
 */
export function detectObstacle(seen: Seen): Obstacle | undefined {
  const page = {...seen, markdown: seen.markdown.slice(0, HEAD)};
  return byAddress(page) ?? byTitle(page) ?? byFrame(page) ?? byForm(page) ?? byWords(page);
}

function found(type: Obstacle['type'], confidence: Obstacle['confidence'], message: string): Obstacle {
  return {type, confidence, message};
}

// Layer 1: the address.

const IDENTITY_HOSTS = [
  'accounts.google.com',
  'appleid.apple.com',
  'idmsa.apple.com',
  'login.gov',
  'login.live.com',
  'login.microsoftonline.com',
  'login.salesforce.com',
  'login.windows.net',
  'login.yahoo.com',
  'auth0.com',
  'b2clogin.com',
  'ciamlogin.com',
  'okta.com',
  'oktapreview.com',
  'onelogin.com',
];
// The whole path, but for a language before it, a section that says nothing, and a file type: /de/anmelden/,
// /users/sign_in, /wp-login.php. A path that merely contains the word is an article about it.
const LOGIN_PATH =
  /^(\/[a-z]{2}([-_][a-z]{2})?)?(\/(account|accounts|auth|user|users|member|members|my|customer|session|sessions|authentication|identity|portal|customerportal\/account|u|id))?\/(log-?in|log_in|logon|sign-?in|sign_in|signon|sso|wp-login|anmelden|einloggen|connexion|inloggen|accedi|acceder)(\.(php|aspx|asp|html?|jsp|do|action))?\/?$/;
const AUTHORIZE_PATH = /\/(oauth2?|openid-connect|connect|saml2?|idp)(\/v\d+(\.\d+)?)?\/(authorize|auth|sso|login)\/?$/;

function byAddress(page: Seen): Obstacle | undefined {
  if (!URL.canParse(page.url)) return undefined;
  const {hostname, pathname, searchParams} = new URL(page.url);
  if (pathname.startsWith('/cdn-cgi/challenge-platform') || searchParams.has('__cf_chl_rt_tk')) {
    return found('captcha', 'high', 'the address is one of a challenge for robots');
  }
  const identity = IDENTITY_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  if (!identity && !LOGIN_PATH.test(pathname) && !AUTHORIZE_PATH.test(pathname)) return undefined;
  const passwords = passwordBoxes(page).length;
  const what = identity ? 'the address is an identity provider’s' : 'the address is that of a log-in';
  if (passwords === 1) return found('auth_wall', 'high', `${what}, and the page asks for a password`);
  if (hasSingleSignOn(page)) return found('auth_wall', 'high', `${what}, and the page offers to sign in elsewhere`);
  // More than one box: one may register or change the password here, too.
  return found('auth_wall', 'low', what);
}

// Layer 2: a title that is nothing but the phrase, with or without the site's name beside it.

function byTitle(page: Seen): Obstacle | undefined {
  // An article may bear such a title; what the phrase stands for says little.
  if (page.markdown.length >= LITTLE) return undefined;
  const what = `the title is "${page.title}", and the page says little else`;
  if (titleIs(page.title, CHALLENGE_TITLES)) {
    // "Please wait" is also what a page says while it loads: only a challenge goes on to speak of the browser.
    const loading = /^please wait|^one moment|^un instant|^un momento/.test(page.title);
    if (!loading || page.captchaFrame || CHALLENGE_WORDS.test(page.markdown)) return found('captcha', 'high', what);
    return undefined;
  }
  if (titleIs(page.title, DENIED_TITLES)) return found('access_denied', 'high', what);
  if (!titleIs(page.title, SIGN_IN_TITLES) || passwordBoxes(page).length > 1 || isRegistering(page)) return undefined;
  return byForm(page) ?? found('auth_wall', 'low', what);
}

// The phrase is the whole title, or all that stands on one side of one dash: "Sign in · Acme", "Acme | Login".
function titleIs(title: string, phrases: readonly string[]): boolean {
  const whole = title.replace(/\s+/g, ' ').trim();
  const sides = whole.split(/\s+[-–—|·•»]\s+|:\s+/);
  return [whole, ...(sides.length === 2 ? sides : [])].some((side) =>
    phrases.includes(side.replace(/(\s*(\.\.\.|…|!|\.))$/, '')),
  );
}

// Layer 3: a captcha's frame.

function byFrame(page: Seen): Obstacle | undefined {
  if (!page.captchaFrame) return undefined;
  // In a form to fill in it is a part of the form, not what keeps one out.
  if (page.markdown.length < LITTLE && fieldsOf(page) < 2) {
    return found('captcha', 'high', 'the page shows a captcha and little else');
  }
  return found('captcha', 'low', 'there is a captcha on the page, beside other content');
}

// Layer 4: the password box.

function byForm(page: Seen): Obstacle | undefined {
  const boxes = passwordBoxes(page);
  if (boxes.length !== 1 || boxes.some((name) => NEW_PASSWORD.test(name)) || isRegistering(page)) return undefined;
  const links = page.elements.filter(({role}) => role === 'link').length;
  if (page.markdown.length >= LITTLE || links > MOST_LINKS || fieldsOf(page) > MOST_FIELDS) return undefined;
  return found('auth_wall', 'high', 'the page asks for a password and is little more than that form');
}

function passwordBoxes(page: Seen): string[] {
  return page.elements
    .filter(({role}) => role === 'textbox' || role === 'searchbox')
    .map(({name}) => name ?? '')
    .filter((name) => PASSWORD.test(name) && !NO_PASSWORD.test(name));
}

function fieldsOf(page: Seen): number {
  return page.elements.filter(({role}) => /^(textbox|searchbox|combobox|spinbutton)$/.test(role)).length;
}

// A form whose button registers is no wall: what one looks for may be open to all.
function isRegistering(page: Seen): boolean {
  const buttons = page.elements.filter(({role}) => role === 'button').map(({name}) => name ?? '');
  return buttons.some((name) => REGISTER.test(name)) && !buttons.some((name) => SIGN_IN.test(name));
}

function hasSingleSignOn(page: Seen): boolean {
  return page.elements.some(
    ({role, name}) => (role === 'button' || role === 'link') && SINGLE_SIGN_ON.test((name ?? '').trim()),
  );
}

// Layer 5: phrases, where the page is a notice and no more.

function byWords(page: Seen): Obstacle | undefined {
  if (page.markdown.length >= SHORT) return undefined;
  const short = 'and the page is short';
  if (CHALLENGE_WORDS.test(page.markdown)) {
    return found('captcha', 'low', `the page speaks of a check for robots, ${short}`);
  }
  if (DENIED_WORDS.test(page.markdown)) {
    return found('access_denied', 'low', `the page speaks of refused access, ${short}`);
  }
  if (SIGN_IN_WORDS.test(page.markdown)) {
    return found('auth_wall', 'low', `the page asks one to sign in, ${short}`);
  }
  return undefined;
}
