import { type Rule, wall } from '../rule.ts';
import { SHOP_WORDS } from './phrases.ts';

/** URL of a sign-in page: by its path, or by the query parameters of forum software. */
const SIGN_IN_PATH =
  /^[^?#]{0,400}\/(?:(?:[a-z]{2,10}[-_])?(?:log-?[io]n|sign-?in|sign_in)(?:[-_]?(?:form|page|required))?|authwall|auth(?:enticate|entication|orize)?|sessions?\/new|anmelden|anmeldung|einloggen|connexion|se-connecter|identification|iniciar-sesion|acceder|accedi|entrar|inloggen|aanmelden|logga-in|logowanie|prihlaseni|bejelentkezes|giris|vhod)(?:[./?#;]|$)|[?&](?:mode|action|do|title)=[^&#]{0,20}log-?in\b|#!?\/(?:log-?in|sign-?in|auth)\b/i;
/** Title of a sign-in page. */
const SIGN_IN =
  /\b(?:log[ -]?[io]n|sign[ -]?in|anmeld\w{1,5}|einloggen|connexion|identifi\w{1,8}|se connecter|accedi|entrar|inloggen|aanmelden|logowanie|zaloguj)\b|iniciar sesión|inicio de sesión|přihlášení|oturum aç|вход|войти|авторизация|登录|登入|登錄|ログイン|サインイン|로그인|تسجيل الدخول|התחברות|đăng nhập/i;

/** Pages that ask every visitor to sign in or to consent, or that are not available in a country: no other scraper helps. */
export const WALL_RULES: readonly Rule[] = [
  {
    id: 'wall/login-redirect',
    ...wall('login', 0.93),
    when: { finalUrl: SIGN_IN_PATH, password: true, status: [200, 401, 403], maxTextLength: 3000 },
  },
  {
    id: 'wall/login-returns',
    ...wall('login', 0.93),
    when: {
      finalUrlNamesRequestUrl: true,
      title: SIGN_IN,
      password: true,
      status: [200, 401, 403],
      maxTextLength: 1500,
    },
  },
  {
    // Sign-in forms that ask for the name first, and for the password on the next page.
    id: 'wall/login-name-first',
    ...wall('login', 0.9),
    when: {
      finalUrl: SIGN_IN_PATH,
      finalUrlNamesRequestUrl: true,
      title: SIGN_IN,
      status: [200, 401, 403],
      maxTextLength: 800,
    },
  },
  {
    id: 'wall/login-page',
    ...wall('login', 0.88),
    when: {
      status: [401, 403],
      title: SIGN_IN,
      password: true,
      maxTextLength: 600,
    },
  },
  {
    id: 'wall/login-to-read',
    ...wall('login', 0.88),
    when: {
      status: [200, 401, 403],
      text: /(?:you (?:must|need to|have to)|please) (?:be logged in|log ?in|sign ?in)(?: or (?:register|sign up|create an account))? (?:to|before you can) (?:view|see|read|access) (?:this|the|that|more|all) (?:page|content|topic|thread|forum|board|article|profile|post|section|file|document|video|story|posts|pages)/i,
      requestUrlNot: SIGN_IN_PATH,
      password: true,
      maxTextLength: 600,
    },
  },
  {
    id: 'wall/consent-host',
    ...wall('consent', 0.95),
    when: { finalUrl: /^https?:\/\/(?:consent|guce)\.[a-z0-9.-]{3,100}[/:?]/ },
  },
  {
    id: 'wall/consent-page',
    ...wall('consent', 0.87),
    when: {
      status: [200, 202, 401, 403],
      title:
        /^(?:before you continue|cookie consent|we value your privacy|consent required|bevor sie (?:zu .{1,40} )?(?:fortfahren|weitergehen)|avant d['’](?:accéder|continuer)|avant de continuer|antes de continuar|prima di continuare)/i,
      text: /cookies?\b.{0,900}\b(?:accept|agree|allow|reject|zustimm|akzeptier|accepter|aceptar|accett)|\b(?:accept|agree|allow|reject|zustimm|akzeptier|accepter|aceptar|accett).{0,900}cookies?\b/i,
      requestUrlNot: /privacy|cookies?|consent|datenschutz|confidentialite|privacidad/i,
      maxTextLength: 1500,
      maxLinks: 12,
    },
  },
  {
    id: 'wall/consent-redirect',
    ...wall('consent', 0.9),
    when: {
      finalUrl:
        /^https?:\/\/cmp\.|^[^?#]{0,400}\/(?:cookie-?)?(?:consent|privacy-?wall|privacy-?gate)(?:[./?#;]|$)/i,
      status: [200, 403],
      text: /cookies?|privacy|consent|datenschutz/i,
      maxTextLength: 3000,
    },
  },
  {
    id: 'wall/consent-returns',
    ...wall('consent', 0.92),
    when: {
      finalUrl:
        /^https?:\/\/(?:my)?(?:privacy|cookies?)\.|^[^?#]{0,400}\/(?:cookies?-?(?:wall|consent|notice|gate|accept\w{0,5})|consent\w{0,5}|privacy-?\w{1,12}|gdpr|dsgvo)(?:[./?#;]|$)/i,
      finalUrlNamesRequestUrl: true,
      status: [200, 403],
      text: /accept|agree|allow|akkoord|zustimm|akzeptier|einverstanden|aceptar|accett|aceitar|akceptuj|принять|соглас|同意/i,
      maxTextLength: 3000,
    },
  },
  {
    id: 'wall/geo-451',
    ...wall('geo', 0.9),
    when: {
      status: [451],
      text: /countr(?:y|ies)|region|location|territor|jurisdiction|european|\bEU\b|GDPR|legal reasons/i,
      maxTextLength: 1500,
    },
  },
  {
    id: 'wall/geo-text',
    ...wall('geo', 0.87),
    when: {
      status: [401, 403, 451],
      text: /(?:not|n't|un)\s?(?:currently )?available (?:in|from|for) (?:your|this) (?:country|region|location|territory|area)/i,
      maxTextLength: 600,
      maxLinks: 6,
    },
  },
  {
    // With 200, the text must say that the page itself is not available: shops say it of goods and payment methods.
    id: 'wall/geo-served',
    ...wall('geo', 0.87),
    when: {
      status: [200],
      text: /(?<!["“„«‘'])\b(?:this|the|our) (?:video|film|movie|clip|stream|live ?stream|broadcast|channel|programme|program|show|episode|title|track|song|content|page|web ?page|website|site|article|service) ?(?:\(?\w{1,20}\)? ){0,3}?(?:is|are)?(?: currently| unfortunately)? ?(?:not|n't|n’t|un)\s?(?:made )?(?:currently |yet )?available (?:to (?:users|people|visitors) )?(?:in|from|for) (?:your|this) (?:country|region|location|territory|area|current location)(?! (?:as|with|on|by|via|at|through)\b)|made this (?:video|content) available in your (?:country|region)|(?<!if )we(?: are|'re|’re) not (?:yet |currently )?available in your (?:country|region)/i,
      textNot: SHOP_WORDS,
      maxTextLength: 400,
      maxLinks: 6,
      maxFields: 1,
    },
  },
];
