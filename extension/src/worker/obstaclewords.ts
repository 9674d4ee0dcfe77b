/** The words by which obstacles are told, in the languages of the users. All in lower case or without regard to case. */

/** Titles of pages that check whether a person is there. */
export const CHALLENGE_TITLES: readonly string[] = [
  'just a moment',
  'attention required',
  'checking your browser',
  'please wait',
  'one moment, please',
  'security check',
  'you are being redirected',
  'security verification',
  'ddos-guard',
  'are you a robot?',
  'are you human?',
  'bot verification',
  'human verification',
  'verify you are human',
  'robot check',
  'pardon our interruption',
  'einen moment',
  'nur einen moment',
  'un instant',
  'un momento',
  'un momento, por favor',
  'um momento',
  'even geduld',
  'een moment geduld',
  'een ogenblik geduld',
  'один момент',
  'chwileczkę',
  'bir dakika lütfen',
  'しばらくお待ちください',
  '请稍候',
  '잠시만 기다리십시오',
  '잠시만 기다려 주십시오',
];

/** Titles of pages that refuse. */
export const DENIED_TITLES: readonly string[] = [
  'access denied',
  'access to this page has been denied',
  'access to this site has been denied',
  'forbidden',
  '403 forbidden',
  '403 - forbidden',
  'error 403',
  '403',
  'request blocked',
  'you have been blocked',
  'unauthorized',
  '401 unauthorized',
  '401 authorization required',
  'zugriff verweigert',
  'accès refusé',
  'accès interdit',
  'acceso denegado',
  'acesso negado',
  'accesso negato',
  'toegang geweigerd',
  'доступ запрещен',
  'доступ запрещён',
  'odmowa dostępu',
  'erişim engellendi',
  'アクセスが拒否されました',
  '访问被拒绝',
  '拒绝访问',
  '액세스 거부됨',
  '액세스가 거부되었습니다',
];

/** Titles of pages where one signs in. */
export const SIGN_IN_TITLES: readonly string[] = [
  'sign in',
  'signin',
  'sign-in',
  'log in',
  'login',
  'log on',
  'please log in',
  'please sign in',
  'login required',
  'sign in to continue',
  'anmelden',
  'anmeldung',
  'einloggen',
  'bitte anmelden',
  'connexion',
  'se connecter',
  'identification',
  'iniciar sesión',
  'inicia sesión',
  'acceder',
  'iniciar sessão',
  'entrar',
  'fazer login',
  'accedi',
  'inloggen',
  'aanmelden',
  'вход',
  'войти',
  'авторизация',
  'logowanie',
  'zaloguj się',
  'giriş yap',
  'oturum aç',
  'ログイン',
  'サインイン',
  '登录',
  '登入',
  '로그인',
];

/** What a password box is called. */
export const PASSWORD =
  /(?<![\p{L}\p{N}])(password|passcode|pwd|passphrase|passwort|kennwort|contraseña|clave|mot de passe|senha|palavra-passe|wachtwoord|parola|hasło|şifre|heslo|jelszó|lösenord|salasana|adgangskode|passord|пароль)(?![\p{L}\p{N}])|密码|密碼|パスワード|비밀번호|كلمة المرور|סיסמה/iu;

/** What a box for a new password is called: it belongs to registering or changing. */
export const NEW_PASSWORD =
  /(?<![\p{L}])(new|create|choose|confirm|confirmation|repeat|re-?enter|retype|again|verify|neues|bestätigen|wiederholen|nouveau|confirmer|confirmez|nueva|repetir|confirmar|conferma|nuova|nieuw|herhaal|bevestig)(?![\p{L}])|подтвер|повтор|нов(ый|ого)|确认|確認|新しい|확인/iu;

/** What is about passwords, but no box for one. */
export const NO_PASSWORD =
  /\b(forgot|forgotten|lost|reset|show|hide|toggle|generator|search|find|vergessen|oublié|olvid|esquec|dimenticat|vergeten)|забыл|忘/iu;

/** Buttons that register. */
export const REGISTER =
  /^(sign up|register|create( an| my| your)? account|join( now)?|get started|registrieren|konto erstellen|s'inscrire|créer un compte|registrarse|crear cuenta|cadastrar|criar conta|registrati|registreren|зарегистрироваться|注册|登録|가입)/iu;

/** Buttons that sign in. */
export const SIGN_IN =
  /^(log ?in|sign ?in|log ?on|anmelden|einloggen|connexion|se connecter|iniciar sesión|acceder|entrar|accedi|inloggen|войти|вход|登录|登入|ログイン|로그인)/iu;

/** Buttons and links that sign in with an account held elsewhere. */
export const SINGLE_SIGN_ON =
  /^(sign ?in|log ?in|continue|connect|anmelden|weiter|continuer|se connecter|continuar|iniciar sesión|entrar|accedi|войти)(?![\p{L}]).{0,20}(?<![\p{L}])(with|using|via|mit|avec|con|com|через)(?![\p{L}]).{0,40}$|^(single sign-?on|sso|use your sso)$/iu;

/** What a page says that checks whether a person is there. */
export const CHALLENGE_WORDS =
  /(verify(ing)?( that)? you( are|'re|’re) (a )?human|checking (if the site connection is secure|your browser( before accessing)?)|complete the (security check|captcha|challenge)|prove (that )?you('re|’re| are) (not a robot|human)|enable javascript and cookies to continue|unusual traffic from your (computer )?network|press and hold|needs to review the security of your connection|bestätigen sie, dass sie (ein mensch|kein roboter) sind|vérifi(er|ez) que vous êtes (un )?humain|verifi(que|ca|car) que (usted )?(eres|es) (un )?(ser )?humano|подтвердите, что вы (человек|не робот)|请(完成|进行)(安全)?验证|ロボットではないことを)/iu;

/** What a page says that refuses. */
export const DENIED_WORDS =
  /(you (don't|don’t|do not) have (permission|access) to (access|view)|you (have been|are) (blocked|banned)|access (to this (page|site|resource|server) )?(is|has been|was) (denied|blocked|forbidden)|not authori[sz]ed to (view|access)|your (ip|ip address|request) (has been|was|is) (blocked|banned)|not available in your (country|region)|error (code:? )?(1020|1006|1009|1015)\b|zugriff (wurde )?verweigert|keine berechtigung|accès (refusé|interdit)|acceso denegado|доступ (запрещ[её]н|ограничен)|访问被(拒绝|禁止))/iu;

/** What a page says that wants one to sign in. */
export const SIGN_IN_WORDS =
  /(you (must|need to|have to) (be logged in|be signed in|log in|sign in|login)|please (log|sign) ?in to (continue|view|access|see)|(log|sign) ?in to (continue|view this|access this|see this)|this (page|content) is (only )?(available|visible) to (members|registered users|subscribers)|your session has (expired|timed out)|bitte (melden sie sich an|loggen sie sich ein)|vous devez (être connecté|vous connecter)|veuillez vous connecter|debe(s)? iniciar sesión|inicia sesión para|необходимо (войти|авторизоваться)|请先?登录)/iu;
