import { SIGN_IN, SIGN_IN_PATH } from '../../domain/sign-in.ts';
import { type Rule, wall } from '../rule.ts';
import { SHOP_WORDS } from './phrases.ts';

/** URL of a page that asks for the visitor's age. */
const AGE_PATH =
  /^[^?#]{0,400}\/(?:(?:[a-z]{2,10}[-_])?age[-_]?(?:gate|gating|check(?:er|point)?|verif\w{1,8}|confirm\w{0,8}|restrict\w{0,4}|warning|consent|limit|wall|statement|gateway|validation)?|(?:confirm|verify|check|enter)[-_]?(?:your[-_]?)?age|over[-_]?(?:18|21)|(?:18|21)[-_]?plus|adults?[-_]?(?:check|content|only|warning|verif\w{1,8}|confirm\w{0,8})|mature(?:[-_]?(?:content|warning))?|alter(?:s|sab|sver)?(?:pr[uü]fung|kontrolle|ifikation|abfrage|nachweis)|jugendschutz|verification[-_]?age|controle[-_]?age|verifica(?:r|zione)[-_]?(?:edad|eta|idade)|mayor(?:ia)?[-_]?(?:de[-_]?)?edad|leeftijd\w{0,12}|wiek|vozrast)(?:[./?#;]|$)/i;
/** A question for the age, or a statement of it. */
const ASKS_AGE =
  /\b(?:(?:are|confirm that|declare that|verify that|certify that|state that) (?:you|i)(?: are| am)? (?:at least |over |above )?(?:18|19|20|21|of legal|old enough)|(?:are you|i am|i['’]m|you must be|must be|you are) (?:at least |over |above )?(?:(?:the age of )?(?:16|18|19|20|21)\b|of legal (?:drinking |smoking )?age|old enough|(?:an )?adult)|(?:enter|confirm|verify|provide) (?:your|my) (?:age|date of birth|birth ?(?:date|day|year))|date of birth|year of birth|age (?:verification|check|confirmation|restricted)|(?:only )?(?:for|suitable for) adults|adults? only)|(?:sind sie|bist du|ich bin) (?:mindestens |über |schon )?(?:16|18|21)|volljährig|geburtsdatum|avez-vous (?:plus de |l['’]âge légal)|j['’]ai (?:plus de )?(?:18|21) ans|date de naissance|(?:eres|es usted|soy) mayor de (?:edad|18|21)|mayor(?:es)? de (?:edad|18|21)|fecha de nacimiento|maior de (?:idade|18)|data de nascimento|maggiorenne|ho (?:più di |almeno )?18 anni|data di nascita|(?:ben je|bent u|ik ben) (?:ouder dan )?18|geboortedatum|(?:czy )?(?:masz|mam) (?:ukończone )?18 lat|pełnoletni|(?:вам|мне)(?: уже)? (?:есть |исполнилось )?18|совершеннолет|(?:18|20)歳(?:以上|未満)|已满\s?(?:18|十八)|年满\s?(?:18|十八)|만 ?(?:18|19)세/i;
/** URL of a page that says that the browser does not keep cookies. */
const COOKIES_PATH =
  /^[^?#]{0,400}\/(?:action\/)?(?:(?:no|enable|allow|missing|require|need|check|test)[-_]?cookies?|cookies?[-_]?(?:absent|disabled|off|required|needed|missing|blocked|error|check|test|not[-_]?(?:supported|enabled|set|accepted|allowed)|support|detect\w{0,4})|cookieabsent)(?:[./?#;]|$)|[?&](?:cookies?[-_]?(?:error|absent|disabled|not[-_]?supported)|no-?cookies?)=|[?&]error=(?:no[-_]?)?cookies?/i;
const COOKIES_DISABLED =
  /cookies? (?:are|is|were|appear(?:s)? to be|seem(?:s)? to be|must be|need(?:s)? to be|have to be|has to be|should be)? ?(?:currently )?(?:disabled|blocked|turned off|switched off|not (?:enabled|supported|accepted|allowed)|enabled|required|accepted|turned on)|(?:enable|turn on|allow|accept|activate) (?:the use of |session |browser )?cookies|(?:does not|doesn['’]t|not) (?:accept|allow|support|have) cookies|requires? (?:the use of )?cookies|cookies? (?:sind|ist|müssen|wurden) .{0,30}(?:deaktiviert|aktiviert|blockiert|ausgeschaltet|zugelassen)|(?:aktivieren sie|akzeptiert keine|erlauben sie) .{0,20}cookies|(?:activer|accepter|autoriser) les cookies|cookies? (?:sont|est|doivent être) .{0,20}(?:désactivés?|activés?|bloqués?)|(?:activar|habilitar|habilite|active|aceptar) (?:las |los )?cookies|cookies? (?:están|deben estar) .{0,20}(?:desactivad|habilitad|activad)|(?:abilitare|attivare|abilita|attiva) i cookie|(?:ativar|habilitar|ative|habilite) (?:os )?cookies|(?:schakel|zet|sta) .{0,20}cookies|włącz\w{0,4} .{0,20}cookie|включит\w{0,4} (?:поддержку )?cookie|cookie ?(?:отключен|を有効|が無効)|启用 ?cookie|쿠키/i;

/**
 * Pages that ask every visitor to sign in, to consent or for his age, that are not available in a country, or that need cookies.
 * No other scraper helps, but for cookies.
 */
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
  {
    id: 'wall/age-redirect',
    ...wall('age', 0.93),
    when: {
      finalUrl: AGE_PATH,
      finalUrlNamesRequestUrl: true,
      status: [200, 401, 403, 451],
      maxTextLength: 3000,
    },
  },
  {
    id: 'wall/age-page',
    ...wall('age', 0.92),
    when: { finalUrl: AGE_PATH, text: ASKS_AGE, status: [200, 401, 403, 451], maxTextLength: 2000 },
  },
  {
    id: 'wall/age-returns',
    ...wall('age', 0.9),
    when: {
      finalUrlNamesRequestUrl: true,
      text: ASKS_AGE,
      status: [200, 401, 403, 451],
      maxTextLength: 800,
      maxLinks: 12,
    },
  },
  {
    id: 'wall/age-title',
    ...wall('age', 0.88),
    when: {
      status: [200, 401, 403, 451],
      title:
        /^(?:age (?:verification|check|gate|confirmation|restricted?(?: content)?|required)|verify your age|confirm your age|are you (?:over |at least )?(?:18|21|of legal).{0,30}|adults? only|over 18\??|altersprüfung|altersabfrage|altersverifikation|vérification de l['’]âge|verificación de (?:la )?edad|verificação de idade|verifica dell['’]età|leeftijdscontrole)(?: required)?[.!?]?(?: [-–|] .{0,60})?$/i,
      text: ASKS_AGE,
      textNot: SHOP_WORDS,
      maxTextLength: 600,
      maxLinks: 8,
    },
  },
  {
    // A browser keeps cookies, so it is tried.
    id: 'wall/cookies-redirect',
    ...wall('cookies', 0.93),
    missing: 'js',
    when: {
      finalUrl: COOKIES_PATH,
      text: COOKIES_DISABLED,
      status: [200, 400, 401, 403],
      maxTextLength: 3000,
    },
  },
  {
    id: 'wall/cookies-returns',
    ...wall('cookies', 0.92),
    missing: 'js',
    when: {
      finalUrl: COOKIES_PATH,
      finalUrlNamesRequestUrl: true,
      status: [200, 400, 401, 403],
      maxTextLength: 1500,
    },
  },
  {
    id: 'wall/cookies-title',
    ...wall('cookies', 0.88),
    missing: 'js',
    when: {
      status: [200, 400, 401, 403],
      title:
        /^(?:(?:your )?(?:browser )?cookies? (?:are |is |must be )?(?:disabled|required|not (?:enabled|supported)|blocked|turned off|absent|error)|(?:please )?(?:enable|turn on|allow) (?:your )?cookies|no cookies)[.!]?(?: [-–|] .{0,60})?$/i,
      text: COOKIES_DISABLED,
      maxTextLength: 1200,
      maxLinks: 12,
    },
  },
];
