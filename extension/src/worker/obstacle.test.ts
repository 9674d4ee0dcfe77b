import {describe, expect, it} from 'vitest';
import {type Seen, detectObstacle} from './obstacle';

type Row = [what: string, page: Partial<Seen>, want: string | undefined];

const box = (name: string, role = 'textbox'): {role: string; name: string} => ({role, name});
const button = (name: string): {role: string; name: string} => ({role: 'button', name});
const link = (name: string): {role: string; name: string} => ({role: 'link', name});
const links = (count: number): {role: string; name: string}[] =>
  Array.from({length: count}, (_, i) => link(`Article ${i}`));
const prose = (characters: number): string =>
  'The quick brown fox jumps over the lazy dog and goes on its way. '
    .repeat(Math.ceil(characters / 65))
    .slice(0, characters);

const login = [box('Email'), box('Password'), button('Sign in')];

const positives: Row[] = [
  [
    "Cloudflare's challenge address",
    {url: 'https://shop.test/cdn-cgi/challenge-platform/h/b/orchestrate'},
    'captcha high',
  ],
  ["Cloudflare's challenge token", {url: 'https://shop.test/?__cf_chl_rt_tk=abc'}, 'captcha high'],
  ['a log-in path with a password box', {url: 'https://acme.test/login', elements: login}, 'auth_wall high'],
  ['a log-in path with a query', {url: 'https://acme.test/login?next=%2finvoices', elements: login}, 'auth_wall high'],
  ['a log-in script', {url: 'https://acme.test/wp-login.php', elements: login}, 'auth_wall high'],
  ['a log-in under a language', {url: 'https://acme.test/de/anmelden/', elements: login}, 'auth_wall high'],
  ['a Rails log-in', {url: 'https://acme.test/users/sign_in', elements: login}, 'auth_wall high'],
  [
    'a log-in path with single sign-on',
    {url: 'https://acme.test/signin', elements: [button('Continue with Google')]},
    'auth_wall high',
  ],
  [
    'log-in and registering on one page',
    {url: 'https://acme.test/login', elements: [...login, box('Password'), button('Register')]},
    'auth_wall low',
  ],
  ['a log-in path that is still loading', {url: 'https://acme.test/login'}, 'auth_wall low'],
  [
    'an identity provider asking for the e-mail first',
    {url: 'https://accounts.google.com/v3/signin/identifier', elements: [box('Email or phone'), button('Next')]},
    'auth_wall low',
  ],
  [
    'an identity provider asking for the password',
    {url: 'https://login.microsoftonline.com/common/oauth2', elements: login},
    'auth_wall high',
  ],
  ['a tenant of an identity provider', {url: 'https://acme.okta.com/app/home', elements: login}, 'auth_wall high'],
  [
    'an authorize endpoint',
    {url: 'https://id.acme.test/oauth2/v1/authorize?client_id=1', elements: login},
    'auth_wall high',
  ],
  ['Keycloak', {url: 'https://id.acme.test/realms/a/protocol/openid-connect/auth', elements: login}, 'auth_wall high'],
  [
    'Just a moment',
    {title: 'just a moment...', markdown: 'acme.test needs to review the security of your connection'},
    'captcha high',
  ],
  ['Just a moment with an ellipsis character', {title: 'just a moment…'}, 'captcha high'],
  [
    'Attention required',
    {title: 'attention required! | cloudflare', markdown: 'Please complete the security check'},
    'captcha high',
  ],
  ['a challenge in German', {title: 'nur einen moment…'}, 'captcha high'],
  ['a challenge in Japanese', {title: 'しばらくお待ちください...'}, 'captcha high'],
  [
    'please wait, by a robot check',
    {title: 'please wait...', markdown: 'Checking your browser before accessing acme.test'},
    'captcha high',
  ],
  ['access denied', {title: 'access denied', markdown: 'Reference #18.2f'}, 'access_denied high'],
  ["403 with the server's name", {title: '403 forbidden', markdown: '# 403 Forbidden\n\nnginx'}, 'access_denied high'],
  ['access denied in French', {title: 'accès refusé - acme'}, 'access_denied high'],
  ['access denied in Russian', {title: 'доступ запрещён'}, 'access_denied high'],
  [
    "a sign-in title beside the site's name",
    {title: 'sign in · acme', elements: [box('Email'), button('Next')]},
    'auth_wall low',
  ],
  ['a sign-in title in Chinese', {title: '登录', elements: [box('手机号'), button('获取验证码')]}, 'auth_wall low'],
  ['a captcha and little else', {captchaFrame: true, markdown: 'Please solve this.'}, 'captcha high'],
  ['a captcha below an article', {captchaFrame: true, markdown: prose(3000)}, 'captcha low'],
  [
    'a captcha in a comment form',
    {captchaFrame: true, markdown: 'Comments', elements: [box('Name'), box('Comment')]},
    'captcha low',
  ],
  ['a log-in form on any address', {title: 'acme cloud', elements: login}, 'auth_wall high'],
  [
    'a log-in form in a design system',
    {elements: [box('E-Mail'), box('Passwort *'), button('Anmelden')]},
    'auth_wall high',
  ],
  [
    'a password box with the role searchbox',
    {elements: [box('Passcode', 'searchbox'), button('Enter')]},
    'auth_wall high',
  ],
  ['a log-in form in Russian', {elements: [box('Логин'), box('Пароль'), button('Войти')]}, 'auth_wall high'],
  [
    'a log-in form in Japanese',
    {elements: [box('メールアドレス'), box('パスワード'), button('ログイン')]},
    'auth_wall high',
  ],
  ['a log-in form in Spanish', {elements: [box('Usuario'), box('Contraseña'), button('Entrar')]}, 'auth_wall high'],
  [
    'the password step alone',
    {elements: [box('Enter your password'), button('Next'), link('Forgot password?')]},
    'auth_wall high',
  ],
  ['a robot check in words', {markdown: 'Verify you are human by completing the action below.'}, 'captcha low'],
  [
    'unusual traffic',
    {markdown: 'Our systems have detected unusual traffic from your computer network.'},
    'captcha low',
  ],
  [
    'blocked in words',
    {markdown: 'Sorry, you have been blocked. You are unable to access acme.test'},
    'access_denied low',
  ],
  ['no permission', {markdown: "You don't have permission to access / on this server."}, 'access_denied low'],
  ['members only', {markdown: 'You must be logged in to view this topic.'}, 'auth_wall low'],
  ['the session ended', {markdown: 'Your session has expired. [Start again](https://acme.test/)'}, 'auth_wall low'],
];

const negatives: Row[] = [
  [
    'an article with a log-in link',
    {
      url: 'https://news.test/a/1',
      title: 'storm hits coast',
      markdown: prose(3000),
      elements: [link('Log in'), ...links(40)],
    },
    undefined,
  ],
  [
    'a start page with a log-in link and little text',
    {
      url: 'https://acme.test/',
      title: 'acme',
      markdown: 'Acme. The best tools.',
      elements: [link('Log in'), link('Sign up')],
    },
    undefined,
  ],
  [
    'an article at a path that only contains login',
    {url: 'https://blog.test/posts/login-forms-done-right', title: 'login forms done right', markdown: prose(3500)},
    undefined,
  ],
  [
    'a help page about logging in',
    {url: 'https://acme.test/help/login', title: 'how to log in', markdown: prose(2000)},
    undefined,
  ],
  [
    'documentation of an authorize endpoint',
    {url: 'https://docs.acme.test/oauth/authorize-endpoint', title: 'authorize', markdown: prose(2500)},
    undefined,
  ],
  [
    "a shop's page whose query holds login",
    {url: 'https://acme.test/products?ref=login', title: 'products', markdown: prose(1000)},
    undefined,
  ],
  [
    'a host that merely ends like a provider',
    {url: 'https://notokta.com/x', title: 'not okta', markdown: prose(800)},
    undefined,
  ],
  [
    'registering: two password boxes',
    {
      url: 'https://acme.test/register',
      elements: [box('Email'), box('Password'), box('Confirm password'), button('Register')],
    },
    undefined,
  ],
  [
    'registering: one password box',
    {url: 'https://acme.test/join', elements: [box('Email'), box('Choose a password'), button('Create account')]},
    undefined,
  ],
  [
    'registering: a plain box and a button that says so',
    {title: 'acme', elements: [box('Email'), box('Password'), button('Sign up')]},
    undefined,
  ],
  [
    'registering in German',
    {elements: [box('E-Mail'), box('Passwort'), box('Passwort wiederholen'), button('Konto erstellen')]},
    undefined,
  ],
  [
    'changing the password',
    {
      url: 'https://acme.test/settings',
      elements: [box('Current password'), box('New password'), box('Repeat new password')],
    },
    undefined,
  ],
  [
    'a log-in box in the header of a full page',
    {
      title: 'forum',
      markdown: prose(3500),
      elements: [box('Username'), box('Password'), button('Log in'), ...links(60)],
    },
    undefined,
  ],
  [
    'a log-in box beside many links',
    {title: 'forum', markdown: prose(900), elements: [...login, ...links(60)]},
    undefined,
  ],
  [
    'a checkout with an optional password',
    {
      title: 'checkout',
      markdown: 'Checkout',
      elements: [box('Name'), box('Street'), box('City'), box('Postcode'), box('Password')],
    },
    undefined,
  ],
  [
    'a password generator',
    {
      title: 'password generator',
      markdown: 'Make a strong password.',
      elements: [box('Password generator length'), button('Generate')],
    },
    undefined,
  ],
  [
    'a button that shows the password',
    {title: 'wi-fi', markdown: 'Your network', elements: [button('Show password'), box('Network name')]},
    undefined,
  ],
  [
    'a search box for passwords',
    {title: 'vault', markdown: prose(1600), elements: [box('Search passwords', 'searchbox'), ...links(30)]},
    undefined,
  ],
  [
    'an article that is called access denied',
    {title: 'access denied: the history of 403 - the blog', markdown: prose(3900)},
    undefined,
  ],
  ['a film by the name of Forbidden', {title: 'forbidden', markdown: prose(3500), elements: links(20)}, undefined],
  ['a song called Just a moment', {title: 'just a moment - lyrics of the year', markdown: prose(2500)}, undefined],
  ['a page that loads', {title: 'please wait', markdown: 'Loading your dashboard'}, undefined],
  ['a page that loads, one moment', {title: 'one moment, please', markdown: ''}, undefined],
  ['a 404', {title: '404 not found', markdown: '# Not found\n\nThe page does not exist.'}, undefined],
  [
    'a title that only begins with sign in',
    {title: 'sign in the window: a short story', markdown: prose(3000)},
    undefined,
  ],
  ['a sign-in title on a full page', {title: 'sign in | acme', markdown: prose(3000), elements: links(50)}, undefined],
  [
    'an article that quotes a challenge',
    {title: 'captchas', markdown: `"Verify you are human," it said. ${prose(2000)}`},
    undefined,
  ],
  [
    'an article that quotes a refusal',
    {title: 'outage', markdown: `Users saw "access denied". ${prose(1500)}`},
    undefined,
  ],
  [
    'a shop that asks to log in for prices, on a long page',
    {title: 'valves', markdown: `Please log in to see prices. ${prose(1200)}`},
    undefined,
  ],
  [
    'a comment section that asks to log in',
    {title: 'story', markdown: `${prose(2500)}\n\nYou must be logged in to comment.`},
    undefined,
  ],
  ['an empty page', {url: 'about:blank', title: '', markdown: ''}, undefined],
  ['an address that is none', {url: 'nonsense', title: 'x', markdown: 'x'}, undefined],
  [
    'a paywall teaser with text',
    {title: 'news', markdown: `${prose(1800)} Subscribe to read on.`, elements: [link('Log in')]},
    undefined,
  ],
  [
    'a passport form',
    {title: 'renew', markdown: 'Renew your passport', elements: [box('Passport number'), button('Next')]},
    undefined,
  ],
  [
    'a newsletter box',
    {title: 'acme', markdown: 'Stay in touch', elements: [box('Email'), button('Subscribe')]},
    undefined,
  ],
  [
    'a word that holds a password word',
    {title: 'parolas', markdown: 'words', elements: [box('Parolayer name')]},
    undefined,
  ],
];

const run = (page: Partial<Seen>): string | undefined => {
  const found = detectObstacle({
    url: 'https://acme.test/page',
    title: 'acme',
    markdown: 'Welcome.',
    elements: [],
    captchaFrame: false,
    ...page,
  });
  return found && `${found.type} ${found.confidence}`;
};

describe('detectObstacle', () => {
  it.each(positives)('sees %s', (_, page, want) => {
    expect(run(page)).toBe(want);
  });

  it.each(negatives)('lets pass %s', (_, page, want) => {
    expect(run(page)).toBe(want);
  });

  it('looks at the first 4,000 characters only', () => {
    expect(run({markdown: `${'x'.repeat(4000)} Verify you are human`})).toBeUndefined();
  });

  it('says why, for people', () => {
    const found = detectObstacle({
      url: 'https://a.test/login',
      title: '',
      markdown: '',
      elements: login,
      captchaFrame: false,
    });
    expect(found?.message).toMatch(/log-in.*password/);
  });
});
