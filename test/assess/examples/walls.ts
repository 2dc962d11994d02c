import { bare, ordinary, prose } from '../a-page.ts';
import type { Examples } from './example.ts';

const FORM =
  '<form><label>Name <input name="name"></label><label>Password <input type="password" name="p"></label><button>Log in</button></form>';

export const WALL_EXAMPLES: Examples = {
  'wall/login-redirect': {
    for: {
      url: 'https://site.example/orders/5',
      final: 'https://site.example/login?next=%2Forders%2F5',
      body: ordinary({ title: 'Welcome back', body: FORM, text: 1900 }),
    },
    against: {
      url: 'https://site.example/login',
      final: 'https://site.example/login/',
      body: bare('Log in', FORM),
    },
  },
  'wall/login-returns': {
    for: {
      url: 'https://site.example/orders/5',
      final: 'https://id.site.example/realm/7?back=https%3A%2F%2Fsite.example%2Forders%2F5',
      body: bare('Sign in to Site', FORM),
    },
    against: {
      url: 'https://site.example/hours',
      final: 'https://site.example/visit?from=%2Fhours',
      body: bare('Visit us', `<p>Daily from nine to six.</p>${FORM}`),
    },
  },
  'wall/login-name-first': {
    for: {
      url: 'https://site.example/d/12',
      final: 'https://id.site.example/v3/signin/identifier?continue=https%3A%2F%2Fsite.example%2Fd%2F12',
      body: bare('Sign in', '<form><input type="email" name="identifier"></form>'),
    },
    against: {
      url: 'https://site.example/d/12',
      final: 'https://site.example/help/login?topic=12',
      body: bare('Sign in: help', '<p>Ask the desk for a new card.</p>'),
    },
  },
  'wall/login-page': {
    for: { status: 401, url: 'https://site.example/orders', body: bare('Sign in – Shop', FORM) },
    against: { url: 'https://site.example/account', body: bare('Sign in – Shop', FORM) },
  },
  'wall/login-to-read': {
    for: { body: bare('Forum', `<p>You must be logged in to view this topic.</p>${FORM}`) },
    against: { body: bare('Forum', `<p>Ask away. You need to log in to answer.</p>${FORM}`) },
  },
  'wall/consent-host': {
    for: {
      url: 'https://news.site.example/a',
      final: 'https://consent.site.example/m?continue=https://news.site.example/a',
      body: ordinary(),
    },
    against: {
      url: 'https://consent.site.example/settings',
      final: 'https://consent.site.example/settings/',
      body: ordinary(),
    },
  },
  'wall/consent-page': {
    for: {
      body: bare(
        'Before you continue to Site',
        '<h1>Before you continue</h1><p>We use cookies to run this site.</p><form><button>Accept all</button></form>',
      ),
    },
    against: {
      body: ordinary({ title: 'We value your privacy', body: '<div class="cookie-banner">Accept?</div>' }),
    },
  },
  'wall/consent-redirect': {
    for: {
      url: 'https://site.example/news',
      final: 'https://site.example/privacy-gate/?return=news',
      body: bare('Site', `<p>This site uses cookies.</p><p>${prose(1600)}</p>`),
    },
    against: {
      url: 'https://site.example/consent/form',
      final: 'https://site.example/consent/form?step=1',
      body: bare('Consent form', '<p>Consent of the patient, please print.</p>'),
    },
  },
  'wall/consent-returns': {
    for: {
      url: 'https://site.example/news/5',
      final: 'https://site.example/cookiewall?back=%2Fnews%2F5',
      body: bare('Site', '<p>Accept our cookies, or subscribe.</p>'),
    },
    against: {
      url: 'https://site.example/r/7',
      final: 'https://site.example/cookies/oat?from=%2Fr%2F7',
      body: bare('Oat cookies', '<p>Allow 12 minutes in the oven.</p>'),
    },
  },
  'wall/geo-451': {
    for: {
      status: 451,
      body: bare('451', '<p>This site cannot be shown in your country for legal reasons.</p>'),
    },
    against: { status: 451, type: 'application/json', body: '{"error":"taken down","country":"all"}' },
  },
  'wall/geo-text': {
    for: { status: 403, body: bare('Sorry', '<p>This video is not available in your country.</p>') },
    against: { body: bare('Ways to pay', '<p>By phone: not available in your region.</p>') },
  },
  'wall/geo-served': {
    for: { body: bare('Sorry', '<p>This video is not available in your country.</p>') },
    against: { body: bare('Mug', '<p>18.00 GBP. This item is not available in your country as a gift.</p>') },
  },
  'wall/age-redirect': {
    for: {
      url: 'https://site.example/movie/1',
      final: 'https://site.example/AgeConfirmation?url2=/movie/1',
      body: bare('Welcome', '<p>Please choose.</p><button>Enter</button>'),
    },
    against: {
      url: 'https://site.example/age',
      final: 'https://site.example/age/',
      body: bare('The ice age', '<p>It ended long ago.</p>'),
    },
  },
  'wall/age-page': {
    for: {
      url: 'https://site.example/wine/7',
      final: 'https://site.example/age-gate/',
      body: bare('Welcome', '<p>Are you over 18?</p><button>Yes</button><button>No</button>'),
    },
    against: {
      url: 'https://site.example/bronze',
      final: 'https://site.example/age/',
      body: bare('The bronze age', '<p>Tin came from far away.</p>'),
    },
  },
  'wall/age-returns': {
    for: {
      url: 'https://site.example/wine/7',
      final: 'https://gate.site.example/w?back=https%3A%2F%2Fsite.example%2Fwine%2F7',
      body: bare('Welcome', '<p>You must be of legal drinking age to enter.</p>'),
    },
    against: {
      url: 'https://site.example/wine/7',
      final: 'https://site.example/wine/8?from=%2Fwine%2F7',
      body: bare('Wine', '<p>A red one from the hill, aged for two years.</p>'),
    },
  },
  'wall/age-title': {
    for: { body: bare('Age verification', '<p>I am over 18 years old.</p><button>Enter</button>') },
    against: { body: bare('Age verification', '<p>Our software checks papers at the door.</p>') },
  },
  'wall/cookies-redirect': {
    for: {
      url: 'https://site.example/doi/10.1/5',
      final: 'https://site.example/action/cookieAbsent',
      body: bare('Site', '<p>Cookies are disabled in your browser.</p>'),
    },
    against: {
      url: 'https://site.example/help',
      final: 'https://site.example/help/cookies',
      body: bare('Cookies', '<p>Cookies are required for the basket.</p>'),
    },
  },
  'wall/cookies-returns': {
    for: {
      url: 'https://site.example/a/5',
      final: 'https://site.example/no-cookies?to=%2Fa%2F5',
      body: bare('Site', '<p>Something is missing.</p>'),
    },
    against: {
      url: 'https://site.example/a/5',
      final: 'https://site.example/recipes/cookies?from=%2Fa%2F5',
      body: bare('Cookies', '<p>Two eggs and 200 g of flour.</p>'),
    },
  },
  'wall/cookies-title': {
    for: { body: bare('Please enable cookies', '<p>Your browser does not accept cookies.</p>') },
    against: { body: bare('Cookies', '<p>We use two cookies.</p>') },
  },
};
