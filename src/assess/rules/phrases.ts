import { type Rule, verdict, wall } from '../rule.ts';

/**
 * Words of pages about block pages and errors, or about works with such a title: help texts, encyclopaedias, shops. Block
 * pages themselves do not use these words.
 */
export const ARTICLE_WORDS =
  /\b(?:means|indicates|describes|occurs|common causes?|how to|what is|what does|status codes?|for example|to fix|troubleshooting|glossary|changelog|tutorial|lyrics|(?:the|this) (?:error|message|answer|response|code) (?:is|says|comes|appears|happens|shows|tells|can)|you get this|novel|movie|album|song|poem|thriller|directed by|written by|\d+ pages|episode|podcast|(?:add to|in your) (?:cart|basket|bag)|in stock|sold out)\b|[$£€¥₽₹]\s?\d|\d\s?(?:€|EUR\b|USD\b|GBP\b|₽|円|원|元|zł|Kč|TL\b)/i;

/** Words and prices of shops. */
export const SHOP_WORDS =
  /\b(?:add to (?:cart|basket|bag)|in stock|sold out|buy now|ready to ship|rent from)\b|[$£€¥₽₹]\s?\d|\d\s?(?:€|EUR\b|USD\b|GBP\b|₽|円|원|元|zł|Kč|TL\b)|\b\d+[.,]\d\d\b/i;

/** Statuses of refusals. */
const REFUSED = [401, 403, 405, 406, 418, 429, 444, 503];
const SERVED = [200, 202];
/** The element that contains a captcha. */
const CAPTCHA_MARKUP =
  /class=["']?(?:[^"'<>]{0,60} )?(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha|smart-captcha)["' >]|arkoselabs\.com\/v2|geetest_/i;

/**
 * Phrases of block pages of no particular vendor. They count only if the page has little other text. With 200, single words
 * or numbers prove nothing: the whole title must be that of a block page, and the text must address the visitor.
 */
export const PHRASE_RULES: readonly Rule[] = [
  {
    id: 'phrase/checking-browser',
    ...verdict('challenge', 'js', 0.92),
    when: {
      title:
        /^(?:just a moment|one moment,? please|please wait|checking your browser(?: before .{0,80})?|checking you are not a bot|making sure you(?: are|'re|’re) not a bot|verify(?:ing)? (?:that )?you are (?:a )?human|ddos protection by .{0,40}|(?:human|bot|browser) (?:verification|check)|security (?:check(?:point)?|verification)|attention required! \| cloudflare)(?:\.{3}|…|[.!])?(?: [-|–] .{0,60})?$/i,
      text: /^.{0,12}$|(?:checking|verifying)\b|your (?:browser|request)\b|your connection (?:is|before|needs)\b|you(?: are|'re|’re) (?:a |not a )?(?:human|robot|bot)\b|javascript|cookies|redirect|wait (?:while|a (?:few |couple of )?(?:moment|second))|^(?:loading|please wait|wait|one moment|just a moment|hold on)\W{0,4}$|ray id/i,
      textNot: ARTICLE_WORDS,
      maxTextLength: 600,
      maxLinks: 6,
      maxFields: 1,
    },
  },
  {
    id: 'phrase/checking-browser-text',
    ...verdict('challenge', 'js', 0.9),
    when: {
      text: /(?:checking|verifying) (?:if |that )?your browser(?=\W{0,3}$|\.|…| (?:before|is|to|and|for)\b)|enable javascript and cookies to continue(?=\W{0,3}$|[.…])|(?:verify(?:ing)?|checking|making sure) (?:that )?you(?: are|'re|’re) (?:a |not a )?(?:human|robot|bot)(?=\W{0,3}$|[.…!,:]| (?:before|by|to)\b)/i,
      textNot: ARTICLE_WORDS,
      maxTextLength: 250,
      maxLinks: 3,
      maxFields: 0,
    },
  },
  {
    id: 'phrase/captcha-alone',
    ...verdict('captcha', 'fingerprint', 0.9),
    when: {
      status: REFUSED,
      html: CAPTCHA_MARKUP,
      text: /captcha|robot|human|verif|security check|unusual|suspicious|automated|blocked|confirm/i,
      maxTextLength: 400,
      maxLinks: 3,
      maxFields: 0,
    },
  },
  {
    id: 'phrase/captcha-served',
    ...verdict('captcha', 'fingerprint', 0.9),
    when: {
      status: SERVED,
      html: CAPTCHA_MARKUP,
      text: /\b(?:not a|no) (?:ro)?bots?\b|\byou(?: are|'re|’re) (?:a )?human\b|are you (?:a )?(?:human|robot)|(?:unusual|suspicious|automated) (?:traffic|activity|requests)|(?:complete|pass) (?:the|this|a) (?:\w{1,20} )?(?:captcha|check|challenge|verification)|(?:confirm|verify|tick|check|solve|prove|enter)\b.{0,40}\b(?:below|box|captcha|challenge|puzzle|characters)\b.{0,40}\b(?:to|and) (?:continue|proceed|go on|access|view|enter|see)\b/i,
      textNot: ARTICLE_WORDS,
      maxTextLength: 400,
      maxLinks: 3,
      maxFields: 0,
    },
  },
  {
    id: 'phrase/captcha-redirect',
    ...verdict('captcha', 'fingerprint', 0.93),
    when: {
      finalUrl:
        /^[^?#]{0,400}\/(?:show|check|validate)?[-_]?(?:captcha\w{0,8}|robot-?check|bot-?check|human-?check)(?:[./?#;]|$)/i,
      finalUrlNamesRequestUrl: true,
    },
  },
  {
    id: 'phrase/blocked-redirect',
    ...verdict('block', null, 0.92),
    when: {
      finalUrl: /^[^?#]{0,400}\/(?:blocked|access-?denied)(?:[./?#;]|$)/i,
      finalUrlNamesRequestUrl: true,
    },
  },
  {
    id: 'phrase/access-denied-title',
    ...verdict('block', null, 0.88),
    when: {
      status: REFUSED,
      title:
        /^(?:access (?:is )?(?:denied|forbidden)|(?:error )?403\b[^a-z]{0,5}(?:forbidden|access denied|blocked)|error 403|forbidden|(?:web ?page )?blocked|request (?:blocked|rejected|denied)|(?:sorry, )?you have been blocked|access to this page has been denied|error: the request could not be satisfied)(?:[.!:]?$|[.!]? [-|–(] .{0,60}$|: (?:access|error|you|request))/i,
      maxTextLength: 1200,
      maxLinks: 8,
      maxFields: 1,
    },
  },
  {
    id: 'phrase/soft-block-title',
    ...verdict('block', null, 0.88),
    when: {
      status: SERVED,
      title:
        /^(?:access (?:is )?denied|403 forbidden|request (?:blocked|rejected)|you have been blocked|access to this page has been denied|sorry, you have been blocked)[.!]?(?: [-|–] .{0,60})?$/i,
      text: /^.{0,40}$|\b(?:you (?:don't|don’t|do not) have (?:permission|access)|your (?:request|access|ip|connection|network|browser)\b|(?:request|reference|incident|support|event|ray|trace)(?: id| number| code)?[ :#]{1,3}[0-9a-f-]{1,40}|on this server|firewall|administrator|site owner|webmaster)/i,
      textNot: ARTICLE_WORDS,
      maxTextLength: 500,
      maxLinks: 4,
      maxFields: 1,
    },
  },
  {
    id: 'phrase/refused',
    ...verdict('block', null, 0.87),
    when: {
      status: REFUSED,
      text: /you have been blocked|(?:detected|noticed|due to|because of|seen|flagged) (?:some |an? )?(?:unusual|suspicious|abnormal|malicious) (?:traffic|activity|behaviou?r|requests?)|unusual (?:traffic|activity)|automated (?:requests|access|queries|traffic)|access to this (?:page|resource|site|website) (?:has been|is) (?:denied|blocked)|your (?:ip|ip address|request|access) (?:has been|was|is) (?:blocked|banned|denied|rejected)|(?:bots?|scrapers?|crawlers?) (?:are|is) not allowed|\baccess denied\b|^(?:403 )?forbidden(?:[.!:]|$| (?:nginx|apache|openresty|you|access|your|request|-))/i,
      maxTextLength: 800,
      maxLinks: 8,
      maxFields: 1,
    },
  },
  {
    // Not in conditions (`if you have been blocked`), quotations, or texts about other people.
    id: 'phrase/soft-block',
    ...verdict('block', null, 0.86),
    when: {
      status: SERVED,
      text: /(?<!\b(?:if|when|whether|that|because|why|once|like|after|while|say|says|mean|means|message|until|unless|think|as) |["“„«‘'])(?:(?:you(?:'ve| have) been|you are|you were) (?:temporarily |permanently )?blocked(?! by (?:an?|another|this|that|the other|your) (?:other )?(?:member|user|friend|person|player|seller|contact))(?=\W{0,3}$|.{1,250}(?:access|\bsite|page|request|security|\bip\b|contact|support|number|reference|network|write to|traffic|activity|\bbot))|your (?:ip|ip address|access|connection|network)(?: \(?[0-9a-f.:]{7,45}\)?)?(?: to this (?:page|site|website|resource))? (?:has been|was|is) (?:temporarily |permanently )?(?:blocked|banned|denied|blacklisted|restricted)(?! (?:only|if|when|after you|unless|until you)|[^.!?]{0,80}\?)|your request (?:has been|was|is) (?:blocked|flagged)|access to this (?:page|resource|site|website) (?:has been|is) (?:denied|blocked)(?=\W{0,3}$|[.,;:!(]| (?:for|due|because|from|you|by (?:the |our |your |an? )?(?:site|web|network|firewall|security|system|owner|admin|policy|waf))))|(?:detected|noticed|due to|because of) (?:some |an? )?(?:unusual|suspicious|automated|abnormal) (?:traffic|activity|access|requests?|behaviou?r)\b.{0,40}\b(?:from|on|in|by) (?:you\b|your |this (?:ip|network|computer|device|address))/i,
      textNot: ARTICLE_WORDS,
      maxTextLength: 450,
      maxLinks: 3,
      maxFields: 1,
    },
  },
  {
    id: 'phrase/too-many-requests',
    ...verdict('rate', 'rate', 0.88),
    when: {
      status: [403, 503],
      text: /too many requests|rate limit(?:ed| exceeded)|requesting (?:pages )?too (?:fast|quickly|often)/i,
      maxTextLength: 300,
      maxLinks: 3,
      maxFields: 0,
    },
  },
  {
    // Strict, because this verdict slows down the site for all users: only at the beginning of a very short text.
    id: 'phrase/too-many-requests-served',
    ...verdict('rate', 'rate', 0.91),
    when: {
      status: SERVED,
      text: /^(?:(?:sorry|oops|error|http|429)[\s:!.,–-]{1,4}){0,3}(?:you(?: have|'ve|’ve)? (?:made|sent) )?(?:too many requests|rate limit(?: is| was| has been)? exceeded|rate limited|you are requesting (?:pages )?too (?:fast|quickly|often))(?=\W{0,3}$|[.!,;:]| (?:from|please|try|wait|slow|nginx|you have|you've|we have|too many)\b)/i,
      textNot: ARTICLE_WORDS,
      maxTextLength: 120,
      maxLinks: 3,
      maxFields: 0,
    },
  },
  {
    id: 'phrase/server-error',
    ...verdict('error_page', null, 0.9),
    when: {
      status: [200],
      title:
        /^(?:(?:http )?(?:error |status )?50[0234]|(?:(?:http )?(?:error )?50[0234][\s:|–-]{1,3})?(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|server error|database error|fatal error|error)(?: [-|–] .{0,40})?)[.!]?$/i,
      text: /^.{0,60}(?:internal server error|bad gateway|gateway time-?out|service (?:temporarily )?unavailable|server error).{0,12}$|\b(?:http error 5\d\d|the service is unavailable|an error (?:has )?(?:occurred|come up)|something went wrong|please try again|try again (?:later|shortly|soon|in)|server (?:is|was|has|could|cannot|encountered)|unable to (?:connect|process|complete)|overloaded|nginx|apache|varnish|backend|upstream|connection to the database)\b/i,
      textNot: ARTICLE_WORDS,
      maxTextLength: 400,
      maxLinks: 4,
      maxFields: 0,
    },
  },
  {
    id: 'phrase/no-database',
    ...verdict('error_page', null, 0.93),
    when: {
      status: [200],
      title: /^(?:database error|error|.{0,60}› error)?$/i,
      text: /^error establishing a database connection/i,
      maxTextLength: 300,
      maxLinks: 2,
    },
  },
];

/**
 * The English phrases in other languages. Patterns are in lower case and match any letter case. With 200, the text must
 * address the visitor.
 */
export const TRANSLATED_PHRASE_RULES: readonly Rule[] = [
  {
    id: 'words/refused',
    ...verdict('block', null, 0.86),
    when: {
      status: [401, 403, 405, 406, 418, 429, 444, 503],
      text: /zugriff (?:wurde )?(?:verweigert|gesperrt|blockiert)|\banfrage wurde (?:aus \S{1,30} )?(?:blockiert|abgelehnt)|accès (?:refusé|interdit|bloqué)|acceso (?:denegado|prohibido|bloqueado)|acesso (?:negado|proibido|bloqueado)|accesso (?:negato|vietato|bloccato)|toegang (?:geweigerd|ontzegd)|dostęp (?:zabroniony|zablokowany)|odmowa dostępu|přístup (?:odepřen|zakázán)|åtkomst nekad|adgang nægtet|pääsy evätty|hozzáférés megtagadva|acces interzis|erişim(?:iniz)? (?:engellendi|reddedildi)|доступ (?:запрещ[её]н|ограничен|заблокирован)|доступ заборонено|(?:访问|請求|请求|訪問)[^。]{0,6}(?:被拒绝|被拦截|被阻断|被禁止|被攔截|被拒絕)|アクセスが(?:拒否|禁止|制限|ブロック)され|접근이 (?:차단|거부|제한)|접속이 차단|تم (?:رفض|حظر) الوصول|הגישה נחסמה|truy cập bị (?:từ chối|chặn)|akses ditolak/i,
      maxTextLength: 600,
      maxLinks: 8,
      maxFields: 1,
    },
  },
  {
    id: 'words/soft-block',
    ...verdict('block', null, 0.86),
    when: {
      status: [200, 202],
      text: /(?<!\b(?:wenn|falls|dass|ob) )(?:sie wurden (?:gesperrt|blockiert)|ihre? (?:ip(?:-adresse)?|zugriff|anfrage) wurde (?:\S{1,20} ){0,2}?(?:gesperrt|blockiert))|(?<!\b(?:si|que|lorsque) )(?:vous avez été bloqué|votre (?:adresse ip|accès|requête) a été bloquée?)|(?<!\b(?:si|que|cuando) )(?:has sido bloqueado|(?:su|tu) (?:dirección ip|acceso|solicitud) ha sido bloquead[oa])|(?<!\b(?:se|que|quando) )(?:você foi bloqueado|seu (?:endereço )?(?:de )?(?:ip|acesso) foi bloqueado)|(?<!\b(?:se|che|quando) )il tuo (?:indirizzo ip|accesso) è stato bloccato|uw ip-adres is geblokkeerd|twój adres ip został zablokowany|(?<!если )(?:вы были заблокированы|ваш ip(?:-адрес)? (?:был )?заблокирован|ваш доступ (?:был )?заблокирован)|ip adresiniz engellendi|您的(?:ip|访问|请求)[^。]{0,8}(?:已被|被)(?:封禁|拦截|禁止|阻断|拒绝)|お使いのipアドレス[^。]{0,20}(?:ブロック|制限)/i,
      textNot: SHOP_WORDS,
      maxTextLength: 300,
      maxLinks: 3,
      maxFields: 0,
    },
  },
  {
    id: 'words/checking-browser',
    ...verdict('challenge', 'js', 0.88),
    when: {
      text: /ihr browser wird (?:über|ge)prüft|(?:wir )?überprüfen ihren browser|vérification de votre navigateur|vérifions votre navigateur|(?:comprobando|verificando|revisando) (?:tu|su) navegador|verificando (?:o )?seu navegador|verifica(?:ndo)? (?:del|il) tuo browser|uw browser wordt gecontroleerd|sprawdzanie przeglądarki|проверка (?:вашего )?браузера|проверяем ваш браузер|перевірка браузера|taray[ıi]c[ıi]n[ıi]z kontrol ediliyor|正在(?:检查|验证|检测)您?的?浏览器|正在进行安全(?:检查|验证)|ブラウザを(?:確認|チェック)して|브라우저를 확인/i,
      textNot: SHOP_WORDS,
      maxTextLength: 250,
      maxLinks: 3,
      maxFields: 0,
    },
  },
  {
    id: 'words/captcha-alone',
    ...verdict('captcha', 'fingerprint', 0.88),
    when: {
      html: CAPTCHA_MARKUP,
      text: /(?:kein|keine) (?:ro)?bot\b|sie ein mensch|pas un robot|êtes humain|no (?:eres|es|soy) un robot|não (?:é|sou) um robô|non sei un robot|geen robot|nie jesteś robotem|не робот|robot olmadığ|不是机器人|人机验证|安全验证|ロボットではない|로봇이 아닙니다|لست روبوت/i,
      maxTextLength: 400,
      maxLinks: 3,
      maxFields: 0,
    },
  },
  {
    id: 'words/too-many-requests',
    ...verdict('rate', 'rate', 0.86),
    when: {
      status: [200, 202, 403, 503],
      text: /^(?:(?:fehler|erreur|error|erro|errore|ошибка|429)[\s:!.,–-]{1,4}){0,3}(?:zu viele anfragen|trop de requêtes|demasiadas (?:solicitudes|peticiones)|muitas (?:solicitações|requisições)|troppe richieste|te veel (?:verzoeken|aanvragen)|zbyt wiele (?:żądań|zapytań)|слишком много запросов|çok fazla istek|您?的?(?:访问|请求|操作)(?:过于|太)频繁|リクエストが多すぎます|アクセスが集中|요청이 너무 많습니다)(?=\W{0,3}$|[.!,;:。!,、]| (?:von|bitte|sie haben|depuis|veuillez|vous avez|desde|por favor|ha enviado|da |от |пожалуйста|вы ))/i,
      textNot: SHOP_WORDS,
      maxTextLength: 200,
      maxLinks: 3,
      maxFields: 0,
    },
  },
  {
    id: 'words/geo',
    ...wall('geo', 0.86),
    when: {
      status: [200, 401, 403, 451],
      text: /(?:video|film|inhalt|sendung|stream|seite|website)s? (?:ist |steht )?in (?:ihrem|deinem) land (?:leider )?nicht verfügbar|(?:video|film|inhalt|sendung|stream|seite|website)s? (?:ist )?(?:leider )?nicht verfügbar in (?:ihrem|deinem) land|(?:vidéo|contenu|film|programme|page|site|émission) n['’]est (?:malheureusement )?pas disponible dans votre (?:pays|région)|(?:vídeo|video|contenido|programa|página|sitio) no está disponible en (?:tu|su) (?:país|región)|(?:vídeo|conteúdo|programa|página|site) não está disponível (?:no seu país|na sua região)|(?:video|contenuto|programma|sito) non è disponibile nel tuo paese|(?:video|inhoud|programma|pagina) is niet beschikbaar in (?:uw|jouw|je) (?:land|regio)|(?:видео|материал|контент|сайт|фильм|страница) недоступн[оаы]? (?:в|для) ваше(?:й|го) (?:стран[еы]|регион[еа])|(?:视频|内容|节目|网站|页面)[^。]{0,4}(?:在)?您?所在(?:的)?(?:国家|地区|区域)[^。]{0,6}(?:不可用|无法)|(?:コンテンツ|動画|番組|サイト|ページ)は?[^。]{0,4}お住まいの(?:地域|国)では[^。]{0,10}(?:いただけません|できません)|(?:동영상|콘텐츠|사이트)[^.]{0,6}(?:국가|지역)에서[^.]{0,8}(?:없습니다)/i,
      textNot: SHOP_WORDS,
      maxTextLength: 400,
      maxLinks: 6,
    },
  },
  {
    id: 'words/login-to-read',
    ...wall('login', 0.86),
    when: {
      status: [200, 401, 403],
      text: /(?:melden sie sich|melde dich|loggen sie sich|logge dich)\b[^.]{0,30}\bum [^.]{0,40}\b(?:lesen|sehen|anzusehen|anzuzeigen)|(?:vous devez|veuillez|merci de) (?:vous connecter|être connecté)[^.]{0,20} pour (?:voir|lire|consulter|accéder)|(?:inicia sesión|inicie sesión|iniciar sesión) para (?:ver|leer|acceder)|(?:faça login|iniciar sessão|entrar) para (?:ver|ler|acessar)|(?:accedi|effettua il login) per (?:vedere|leggere|visualizzare)|(?:войдите|авторизуйтесь|необходимо войти)[^.]{0,30}чтобы (?:про)?(?:смотреть|читать|видеть|увидеть)|登录后(?:才能|才可|可以|方可)?(?:查看|浏览|阅读)|ログイン(?:して|すると|が必要)[^。]{0,20}(?:閲覧|表示|ご覧)/i,
      password: true,
      maxTextLength: 600,
    },
  },
];
