import type { Rule } from '../rule.ts';
import { SELLS } from './about.ts';
import { CAPTCHA } from './phrases.ts';

/**
 * What the English phrases say, in the languages of most other sites. Small letters stand for capitals, too; with 200 the
 * text has to speak of the visitor.
 */
export const OTHER_LANGUAGES: readonly Rule[] = [
  {
    id: 'words/refused',
    kind: 'block',
    failed: null,
    confidence: 0.86,
    when: {
      status: [401, 403, 405, 406, 418, 429, 444, 503],
      text: /zugriff (?:wurde )?(?:verweigert|gesperrt|blockiert)|\banfrage wurde (?:aus \S{1,30} )?(?:blockiert|abgelehnt)|accès (?:refusé|interdit|bloqué)|acceso (?:denegado|prohibido|bloqueado)|acesso (?:negado|proibido|bloqueado)|accesso (?:negato|vietato|bloccato)|toegang (?:geweigerd|ontzegd)|dostęp (?:zabroniony|zablokowany)|odmowa dostępu|přístup (?:odepřen|zakázán)|åtkomst nekad|adgang nægtet|pääsy evätty|hozzáférés megtagadva|acces interzis|erişim(?:iniz)? (?:engellendi|reddedildi)|доступ (?:запрещ[её]н|ограничен|заблокирован)|доступ заборонено|(?:访问|請求|请求|訪問)[^。]{0,6}(?:被拒绝|被拦截|被阻断|被禁止|被攔截|被拒絕)|アクセスが(?:拒否|禁止|制限|ブロック)され|접근이 (?:차단|거부|제한)|접속이 차단|تم (?:رفض|حظر) الوصول|הגישה נחסמה|truy cập bị (?:từ chối|chặn)|akses ditolak/i,
      short: 600,
      links: 8,
      fields: 1,
    },
  },
  {
    id: 'words/soft-block',
    kind: 'block',
    failed: null,
    confidence: 0.86,
    when: {
      status: [200, 202],
      text: /(?<!\b(?:wenn|falls|dass|ob) )(?:sie wurden (?:gesperrt|blockiert)|ihre? (?:ip(?:-adresse)?|zugriff|anfrage) wurde (?:\S{1,20} ){0,2}?(?:gesperrt|blockiert))|(?<!\b(?:si|que|lorsque) )(?:vous avez été bloqué|votre (?:adresse ip|accès|requête) a été bloquée?)|(?<!\b(?:si|que|cuando) )(?:has sido bloqueado|(?:su|tu) (?:dirección ip|acceso|solicitud) ha sido bloquead[oa])|(?<!\b(?:se|que|quando) )(?:você foi bloqueado|seu (?:endereço )?(?:de )?(?:ip|acesso) foi bloqueado)|(?<!\b(?:se|che|quando) )il tuo (?:indirizzo ip|accesso) è stato bloccato|uw ip-adres is geblokkeerd|twój adres ip został zablokowany|(?<!если )(?:вы были заблокированы|ваш ip(?:-адрес)? (?:был )?заблокирован|ваш доступ (?:был )?заблокирован)|ip adresiniz engellendi|您的(?:ip|访问|请求)[^。]{0,8}(?:已被|被)(?:封禁|拦截|禁止|阻断|拒绝)|お使いのipアドレス[^。]{0,20}(?:ブロック|制限)/i,
      unless: SELLS,
      short: 300,
      links: 3,
      fields: 0,
    },
  },
  {
    id: 'words/checking-browser',
    kind: 'challenge',
    failed: 'js',
    confidence: 0.88,
    when: {
      text: /ihr browser wird (?:über|ge)prüft|(?:wir )?überprüfen ihren browser|vérification de votre navigateur|vérifions votre navigateur|(?:comprobando|verificando|revisando) (?:tu|su) navegador|verificando (?:o )?seu navegador|verifica(?:ndo)? (?:del|il) tuo browser|uw browser wordt gecontroleerd|sprawdzanie przeglądarki|проверка (?:вашего )?браузера|проверяем ваш браузер|перевірка браузера|taray[ıi]c[ıi]n[ıi]z kontrol ediliyor|正在(?:检查|验证|检测)您?的?浏览器|正在进行安全(?:检查|验证)|ブラウザを(?:確認|チェック)して|브라우저를 확인/i,
      unless: SELLS,
      short: 250,
      links: 3,
      fields: 0,
    },
  },
  {
    id: 'words/captcha-alone',
    kind: 'captcha',
    failed: 'fingerprint',
    confidence: 0.88,
    when: {
      html: CAPTCHA,
      text: /(?:kein|keine) (?:ro)?bot\b|sie ein mensch|pas un robot|êtes humain|no (?:eres|es|soy) un robot|não (?:é|sou) um robô|non sei un robot|geen robot|nie jesteś robotem|не робот|robot olmadığ|不是机器人|人机验证|安全验证|ロボットではない|로봇이 아닙니다|لست روبوت/i,
      short: 400,
      links: 3,
      fields: 0,
    },
  },
  {
    id: 'words/too-many-requests',
    kind: 'rate',
    failed: 'rate',
    confidence: 0.86,
    when: {
      status: [200, 202, 403, 503],
      text: /^(?:(?:fehler|erreur|error|erro|errore|ошибка|429)[\s:!.,–-]{1,4}){0,3}(?:zu viele anfragen|trop de requêtes|demasiadas (?:solicitudes|peticiones)|muitas (?:solicitações|requisições)|troppe richieste|te veel (?:verzoeken|aanvragen)|zbyt wiele (?:żądań|zapytań)|слишком много запросов|çok fazla istek|您?的?(?:访问|请求|操作)(?:过于|太)频繁|リクエストが多すぎます|アクセスが集中|요청이 너무 많습니다)(?=\W{0,3}$|[.!,;:。!,、]| (?:von|bitte|sie haben|depuis|veuillez|vous avez|desde|por favor|ha enviado|da |от |пожалуйста|вы ))/i,
      unless: SELLS,
      short: 200,
      links: 3,
      fields: 0,
    },
  },
  {
    id: 'words/geo',
    kind: 'wall',
    failed: 'wall',
    wall: 'geo',
    confidence: 0.86,
    when: {
      status: [200, 401, 403, 451],
      text: /(?:video|film|inhalt|sendung|stream|seite|website)s? (?:ist |steht )?in (?:ihrem|deinem) land (?:leider )?nicht verfügbar|(?:video|film|inhalt|sendung|stream|seite|website)s? (?:ist )?(?:leider )?nicht verfügbar in (?:ihrem|deinem) land|(?:vidéo|contenu|film|programme|page|site|émission) n['’]est (?:malheureusement )?pas disponible dans votre (?:pays|région)|(?:vídeo|video|contenido|programa|página|sitio) no está disponible en (?:tu|su) (?:país|región)|(?:vídeo|conteúdo|programa|página|site) não está disponível (?:no seu país|na sua região)|(?:video|contenuto|programma|sito) non è disponibile nel tuo paese|(?:video|inhoud|programma|pagina) is niet beschikbaar in (?:uw|jouw|je) (?:land|regio)|(?:видео|материал|контент|сайт|фильм|страница) недоступн[оаы]? (?:в|для) ваше(?:й|го) (?:стран[еы]|регион[еа])|(?:视频|内容|节目|网站|页面)[^。]{0,4}(?:在)?您?所在(?:的)?(?:国家|地区|区域)[^。]{0,6}(?:不可用|无法)|(?:コンテンツ|動画|番組|サイト|ページ)は?[^。]{0,4}お住まいの(?:地域|国)では[^。]{0,10}(?:いただけません|できません)|(?:동영상|콘텐츠|사이트)[^.]{0,6}(?:국가|지역)에서[^.]{0,8}(?:없습니다)/i,
      unless: SELLS,
      short: 400,
      links: 6,
    },
  },
  {
    id: 'words/login-to-read',
    kind: 'wall',
    failed: 'wall',
    wall: 'login',
    confidence: 0.86,
    when: {
      status: [200, 401, 403],
      text: /(?:melden sie sich|melde dich|loggen sie sich|logge dich)\b[^.]{0,30}\bum [^.]{0,40}\b(?:lesen|sehen|anzusehen|anzuzeigen)|(?:vous devez|veuillez|merci de) (?:vous connecter|être connecté)[^.]{0,20} pour (?:voir|lire|consulter|accéder)|(?:inicia sesión|inicie sesión|iniciar sesión) para (?:ver|leer|acceder)|(?:faça login|iniciar sessão|entrar) para (?:ver|ler|acessar)|(?:accedi|effettua il login) per (?:vedere|leggere|visualizzare)|(?:войдите|авторизуйтесь|необходимо войти)[^.]{0,30}чтобы (?:про)?(?:смотреть|читать|видеть|увидеть)|登录后(?:才能|才可|可以|方可)?(?:查看|浏览|阅读)|ログイン(?:して|すると|が必要)[^。]{0,20}(?:閲覧|表示|ご覧)/i,
      password: true,
      short: 600,
    },
  },
];
