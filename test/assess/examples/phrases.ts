import { bare } from '../a-page.ts';
import type { Examples } from './example.ts';

export const PHRASE_EXAMPLES: Examples = {
  'phrase/checking-browser': {
    for: { status: 503, body: bare('Just a moment...', '<p>Wait.</p>') },
    against: { body: bare('Just a moment', '<p>Photographs of the harbour, 1960 to 1985.</p>') },
  },
  'phrase/checking-browser-text': {
    for: { body: bare('site.example', '<p>Checking your browser before you go on.</p>') },
    against: { body: bare('Help', '<p>Checking your browser version: open the menu, choose About.</p>') },
  },
  'phrase/captcha-alone': {
    for: {
      status: 403,
      body: bare('site.example', '<p>Please confirm.</p><div class="g-recaptcha" data-sitekey="a"></div>'),
    },
    against: {
      body: bare(
        'Write to us',
        '<h1>Write to us</h1><form><input name="mail"><textarea name="text"></textarea><div class="h-captcha"></div><button>Send, we verify by hand</button></form>',
      ),
    },
  },
  'phrase/captcha-served': {
    for: {
      body: bare(
        'site.example',
        '<p>Please confirm that you are no robot.</p><div class="g-recaptcha" data-sitekey="a"></div>',
      ),
    },
    against: {
      body: bare(
        'Plan of a stand',
        '<p>Confirm the download.</p><form><button>Download</button><div class="g-recaptcha"></div></form>',
      ),
    },
  },
  'phrase/captcha-redirect': {
    for: {
      url: 'https://site.example/list?page=4',
      final: 'https://site.example/captcha?next=%2Flist%3Fpage%3D4',
      body: bare('Site', '<p>Type what you see.</p><input>'),
    },
    against: {
      url: 'https://site.example/products',
      final: 'https://site.example/captcha?plan=free',
      body: bare('Captcha', '<p>Our captcha for your forms, free up to 1,000 a day.</p>'),
    },
  },
  'phrase/blocked-redirect': {
    for: {
      url: 'https://site.example/ip/5',
      final: 'https://site.example/blocked?url=%2Fip%2F5',
      body: bare('Site', '<p>Sorry.</p>'),
    },
    against: {
      url: 'https://site.example/5',
      final: 'https://site.example/stories/blocked?old=5',
      body: bare('Blocked', '<p>How a ship stopped a canal.</p>'),
    },
  },
  'phrase/access-denied-title': {
    for: { status: 403, body: bare('403 Forbidden', '<h1>403 Forbidden</h1><hr>nginx') },
    against: {
      status: 403,
      body: bare(
        'Forbidden Island – members',
        '<h1>Members only</h1><p>This group is for members. Ask Ann to let you in.</p>',
      ),
    },
  },
  'phrase/soft-block-title': {
    for: { body: bare('Access Denied', '<h1>Access denied</h1><p>Request 7 was denied.</p>') },
    against: { body: bare('Access Denied', '<h1>Access Denied</h1><p>Third track of Night Bus, 3:41.</p>') },
  },
  'phrase/refused': {
    for: { status: 403, type: 'text/plain', body: 'Automated requests are not welcome here.' },
    against: { status: 403, type: 'application/json', body: '{"error":"forbidden: access denied"}' },
  },
  'phrase/soft-block': {
    for: { body: bare('site.example', '<p>You have been blocked. Write to us with number 12.</p>') },
    against: {
      body: bare('Appeals', '<h1>Appeals</h1><p>If your request was denied you may appeal by mail.</p>'),
    },
  },
  'phrase/too-many-requests': {
    for: { status: 503, body: bare('Slow down', '<p>Too many requests. Come back in a minute.</p>') },
    against: { body: bare('Choir', '<p>After too many requests we sing again on Sunday.</p>') },
  },
  'phrase/too-many-requests-served': {
    for: { body: bare('Sorry', '<p>Too many requests. Try again in a minute.</p>') },
    against: { body: bare('Error 429', '<p>The server answers so to a key that asks too often.</p>') },
  },
  'phrase/server-error': {
    for: { body: bare('502 Bad Gateway', '<h1>502 Bad Gateway</h1><p>Please try again.</p>') },
    against: { body: bare('500 Piece Jigsaw Puzzle', '<p>Currently unavailable.</p>') },
  },
  'phrase/no-database': {
    for: { body: bare('Database Error', '<h1>Error establishing a database connection</h1>') },
    against: {
      body: bare(
        'Help: no connection',
        '<h1>Error establishing a database connection</h1><p>Check the password in the settings.</p>',
      ),
    },
  },
};

/** What the same walls say elsewhere. */
export const OTHER_LANGUAGE_EXAMPLES: Examples = {
  'words/refused': {
    for: { status: 403, body: bare('Доступ запрещён', '<p>Доступ запрещён.</p>') },
    against: { body: bare('Zugriff verweigert – Hörspiel', '<p>Zugriff verweigert, 104 Minuten.</p>') },
  },
  'words/soft-block': {
    for: { body: bare('Hinweis', '<p>Ihre IP-Adresse wurde gesperrt.</p>') },
    against: { body: bare('Hilfe', '<p>Falls Sie wurden gesperrt dasteht, rufen Sie uns an.</p>') },
  },
  'words/checking-browser': {
    for: { body: bare('请稍候', '<p>正在检查您的浏览器</p>') },
    against: { body: bare('Aide', '<p>La vérification de votre adresse prend un jour.</p>') },
  },
  'words/captcha-alone': {
    for: {
      body: bare('Verificação', '<p>Confirme que você não é um robô.</p><div class="h-captcha"></div>'),
    },
    against: { body: bare('Umfrage', '<p>Grün oder rot?</p><div class="h-captcha"></div>') },
  },
  'words/too-many-requests': {
    for: { body: bare('Trop de requêtes', '<p>Trop de requêtes. Réessayez plus tard.</p>') },
    against: { body: bare('Bürgerbüro', '<p>Zurzeit erreichen uns zu viele Anfragen am Telefon.</p>') },
  },
  'words/geo': {
    for: { body: bare('Vidéo', "<p>Cette vidéo n'est pas disponible dans votre pays.</p>") },
    against: { body: bare('Lampe', "<p>La livraison express n'est pas disponible dans votre pays.</p>") },
  },
  'words/login-to-read': {
    for: {
      body: bare('Forum', '<p>Vous devez vous connecter pour lire ce sujet.</p><input type="password">'),
    },
    against: {
      body: bare('Forum', '<p>Vous devez vous connecter pour répondre.</p><input type="password">'),
    },
  },
};
