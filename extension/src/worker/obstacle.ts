/**
 * What keeps an agent from a page: a log-in, a captcha, a refusal. A pure function of what an extract saw.
 * Rather miss than cry wolf: a false alarm makes an agent give up on a page that it could read.
 */

import type {Obstacle} from '../protocol.gen';

/** ObstacleInput is what the judgement looks at. */
export interface ObstacleInput {
  readonly url: string;
  readonly title: string;
  /** The page as Markdown; only its first 4,000 characters are looked at. */
  readonly markdown: string;
  readonly elements: readonly {readonly role: string; readonly name?: string}[];
  /** The page shows the frame of a known captcha; invisible badges do not count. */
  readonly captchaFrame: boolean;
}

/** How much of the Markdown is scanned: what keeps one out stands at the top. */
const SCANNED = 4000;
/** A page that says less than this, in characters, says little else beside a captcha. */
const LITTLE = 1500;
/** A page whose whole text is shorter than this may be nothing but a phrase. */
const SHORT = 600;

/** Hosts whose pages are there to log in. Their subdomains count too. */
const IDENTITY_HOSTS = [
  'accounts.google.com',
  'login.microsoftonline.com',
  'login.live.com',
  'login.yahoo.com',
  'appleid.apple.com',
  'idmsa.apple.com',
  'okta.com',
  'oktapreview.com',
  'auth0.com',
  'onelogin.com',
  'pingone.com',
  'duosecurity.com',
];

/** A path that is a log-in, whatever language stands before it. */
const LOGIN_PATH =
  /^(?:\/[a-z]{2}(?:[-_][a-z]{2})?)?\/(?:(?:users?|account|accounts|auth|session|member|wp)\/)?(?:login|log-in|signin|sign-in|sign_in|sso|anmelden|connexion|wp-login\.php|oauth2?(?:\/v\d)?\/authorize)\/?$/;

const CHALLENGE_PATH = '/cdn-cgi/challenge-platform';

const PASSWORD =
  /\b(?:password|passcode|passwort|kennwort|pwd|mot de passe|contraseña|clave|senha|wachtwoord|lösenord|adgangskode|passord|salasana|hasło|heslo|parola|şifre)\b|пароль|密码|密碼|パスワード|비밀번호|كلمة المرور|סיסמה/iu;

const SINGLE_SIGN_ON =
  /^(?:(?:log|sign) ?in|continue|anmelden|connexion|iniciar sesión|entrar) (?:with|mit|avec|con|com) |\b(?:single sign-on|sso)\b/i;

/** Titles that say it all, each in the languages of the users. They must be the whole title, a site's name aside. */
const TITLES: readonly {readonly titles: readonly string[]; readonly as: Pick<Obstacle, 'type' | 'confidence'>}[] = [
  {
    as: {type: 'captcha', confidence: 'high'},
    titles: [
      'just a moment...', 'just a moment…', 'nur einen moment…', 'nur einen moment...', 'un momento…', 'un momento...',
      'un instant…', 'un instant...', 'um momento…', 'um momento...', 'een moment geduld…', 'een ogenblik geduld...',
      'один момент…', 'один момент...', '请稍候…', '请稍候...', 'しばらくお待ちください...', '잠시만 기다리십시오…', 'bir dakika lütfen...',
      'chwileczkę…', 'attention required!', 'attention required', 'verify you are human', 'are you a robot?', 'human verification',
      'security check', 'robot check', 'bot verification', 'checking your browser',
    ],
  },
  {
    as: {type: 'access_denied', confidence: 'high'},
    titles: [
      'access denied', 'access to this page has been denied', '403 forbidden', '403', 'forbidden', 'error 403', '401 unauthorized',
      'unauthorized', 'zugriff verweigert', 'accès refusé', 'accès interdit', 'acceso denegado', 'acesso negado', 'accesso negato',
      'toegang geweigerd', 'доступ запрещен', 'доступ запрещён', '访问被拒绝', '拒绝访问', 'アクセスが拒否されました', '액세스 거부됨',
      'erişim engellendi', 'odmowa dostępu',
    ],
  },
  {
    as: {type: 'auth_wall', confidence: 'low'},
    titles: [
      'sign in', 'log in', 'login', 'signin', 'sign-in', 'anmelden', 'anmeldung', 'einloggen', 'se connecter', 'connexion',
      'iniciar sesión', 'inicia sesión', 'entrar', 'fazer login', 'accedi', 'inloggen', 'aanmelden', 'войти', 'вход', '登录', '登入',
      'ログイン', '로그인', 'giriş yap', 'zaloguj się', 'logowanie',
    ],
  },
]; // prettier-ignore

const PHRASES: readonly {readonly as: Obstacle['type']; readonly phrase: RegExp}[] = [
  {
    as: 'captcha',
    phrase:
      /\b(?:verify (?:that )?you(?:'|’| a)re (?:a )?human|verifying you are human|i(?:'|’)?m not a robot|complete the security check|unusual traffic from your|checking your browser before|press and hold|bestätigen sie, dass sie ein mensch sind|vérifiez que vous êtes humain|verifica que eres (?:un )?humano)\b/iu,
  },
  {
    as: 'access_denied',
    phrase:
      /\b(?:you (?:don(?:'|’)t|do not) have (?:permission|access)|access (?:is |has been )?denied|not authori[sz]ed to (?:view|access)|your ip (?:address )?has been blocked|keine berechtigung|zugriff verweigert|accès refusé|acceso denegado)\b/iu,
  },
  {
    as: 'auth_wall',
    phrase:
      /\b(?:(?:please |you must |you need to )(?:log|sign) ?in(?: to (?:continue|view|see|access))?|(?:log|sign) ?in to (?:continue|view|see|access)|session has expired|bitte (?:melden sie sich an|einloggen)|veuillez vous connecter|inicia sesión para)\b/iu,
  },
];

/** DetectObstacle judges a page by five layers, the cheapest first; the first that knows ends it. */
export function detectObstacle(input: ObstacleInput): Obstacle | undefined {
  const page = new Page(input);
  return byAddress(page) ?? byTitle(page) ?? byCaptcha(page) ?? byPassword(page) ?? byPhrase(page);
}

/** Page is the input made ready, each thing once. */
class Page {
  readonly address: URL | undefined;
  readonly title: string;
  readonly said: string;
  readonly captchaFrame: boolean;
  /** How many boxes ask for a password. */
  readonly passwords: number;
  readonly singleSignOn: boolean;
  /** Links and buttons: a page with many of them is more than a log-in. */
  readonly choices: number;

  constructor({url, title, markdown, elements, captchaFrame}: ObstacleInput) {
    this.address = URL.canParse(url) ? new URL(url.toLowerCase()) : undefined;
    this.title = title.toLowerCase().replace(/\s+/g, ' ').trim();
    this.said = markdown.slice(0, SCANNED);
    this.captchaFrame = captchaFrame;
    const isBox = (role: string): boolean => role === 'textbox' || role === 'searchbox';
    this.passwords = elements.filter(({role, name}) => isBox(role) && PASSWORD.test(name ?? '')).length;
    this.singleSignOn = elements.some(
      ({role, name}) => (role === 'button' || role === 'link') && SINGLE_SIGN_ON.test(name ?? ''),
    );
    this.choices = elements.filter(({role}) => role === 'link' || role === 'button').length;
  }
}

function byAddress({address, passwords, singleSignOn}: Page): Obstacle | undefined {
  if (!address) return undefined;
  if (address.pathname.startsWith(CHALLENGE_PATH))
    return captcha('high', 'the address is a challenge of the site’s guard');
  const isIdentity = IDENTITY_HOSTS.some((host) => address.hostname === host || address.hostname.endsWith(`.${host}`));
  if (!isIdentity && !LOGIN_PATH.test(address.pathname)) return undefined;
  // Two boxes: the page is for registering or changing a password, and a log-in only by its address.
  if (passwords > 1) return undefined;
  return authWall(passwords > 0 || singleSignOn ? 'high' : 'low', 'the address is a log-in page');
}

function byTitle({title}: Page): Obstacle | undefined {
  // "Sign in – Acme", "Acme | Sign in": a site's name may stand on either side, but only one.
  const parts = title.split(/\s+[|–—·•-]\s+/);
  const named = parts.length <= 2 ? [title, ...parts] : [title];
  for (const {titles, as} of TITLES) {
    const hit = named.find((part) => titles.includes(part));
    if (hit !== undefined) return {...as, message: `the title is “${hit}”`};
  }
  return undefined;
}

function byCaptcha({captchaFrame, said}: Page): Obstacle | undefined {
  if (!captchaFrame) return undefined;
  const alone = said.length < LITTLE;
  return captcha(alone ? 'high' : 'low', alone ? 'the page is a captcha and little else' : 'the page shows a captcha');
}

function byPassword({passwords, said, choices}: Page): Obstacle | undefined {
  if (passwords !== 1 || said.length >= LITTLE / 2 || choices > 15) return undefined;
  return authWall('high', 'the page asks for a password and says little else');
}

function byPhrase({said}: Page): Obstacle | undefined {
  if (said.trim().length === 0 || said.length >= SHORT) return undefined;
  for (const {as, phrase} of PHRASES) {
    const hit = phrase.exec(said)?.[0];
    if (hit !== undefined) return {type: as, confidence: 'low', message: `the page says “${hit}” and little else`};
  }
  return undefined;
}

function captcha(confidence: Obstacle['confidence'], message: string): Obstacle {
  return {type: 'captcha', confidence, message};
}

function authWall(confidence: Obstacle['confidence'], message: string): Obstacle {
  return {type: 'auth_wall', confidence, message};
}
