import type { Rule } from '../rule.ts';

/** Walls that no other way of fetching gets over: sign in, consent, live elsewhere. */
export const WALLS_SEEN: readonly Rule[] = [
  {
    id: 'wall/login-redirect',
    kind: 'wall',
    failed: 'wall',
    wall: 'login',
    confidence: 0.93,
    when: {
      landed: /^[^?#]{0,400}\/(?:log-?in|sign-?in|sign_in|authwall|anmelden|connexion)(?:[./?#;]|$)/i,
      password: true,
      status: [200, 401, 403],
      short: 3000,
    },
  },
  {
    id: 'wall/login-page',
    kind: 'wall',
    failed: 'wall',
    wall: 'login',
    confidence: 0.88,
    when: {
      status: [401, 403],
      title: /^(?:log ?in|sign ?in|anmelden|connexion)\b/i,
      password: true,
      short: 600,
    },
  },
  {
    id: 'wall/login-to-read',
    kind: 'wall',
    failed: 'wall',
    wall: 'login',
    confidence: 0.88,
    when: {
      status: [200, 401, 403],
      text: /(?:you (?:must|need to|have to)|please) (?:be logged in|log ?in|sign ?in)(?: or (?:register|sign up|create an account))? (?:to|before you can) (?:view|see|read|access|continue)/i,
      password: true,
      short: 600,
    },
  },
  {
    id: 'wall/consent-host',
    kind: 'wall',
    failed: 'wall',
    wall: 'consent',
    confidence: 0.95,
    when: { landed: /^https?:\/\/(?:consent|cmp|guce)\.[a-z0-9.-]{3,100}[/:?]/ },
  },
  {
    id: 'wall/consent-page',
    kind: 'wall',
    failed: 'wall',
    wall: 'consent',
    confidence: 0.87,
    when: {
      status: [200, 202, 401, 403],
      title:
        /^(?:before you continue|cookie consent|your privacy choices|we value your privacy|consent required|bevor sie fortfahren|avant de continuer)\b/i,
      short: 1500,
      links: 12,
    },
  },
  {
    id: 'wall/consent-redirect',
    kind: 'wall',
    failed: 'wall',
    wall: 'consent',
    confidence: 0.9,
    when: {
      landed: /^[^?#]{0,400}\/(?:cookie-?)?(?:consent|privacy-?wall|privacy-?gate)(?:[./?#;]|$)/i,
      status: [200, 403],
      text: /cookies?|privacy|consent|datenschutz/i,
      short: 3000,
    },
  },
  {
    id: 'wall/geo-451',
    kind: 'wall',
    failed: 'wall',
    wall: 'geo',
    confidence: 0.9,
    when: {
      status: [451],
      text: /countr(?:y|ies)|region|location|territor|jurisdiction|european|\bEU\b|GDPR|legal reasons/i,
      short: 1500,
    },
  },
  {
    id: 'wall/geo-text',
    kind: 'wall',
    failed: 'wall',
    wall: 'geo',
    confidence: 0.87,
    when: {
      status: [200, 401, 403, 451],
      text: /(?:not|n't|un)\s?(?:currently )?available (?:in|from|for) (?:your|this) (?:country|region|location|territory|area)|nicht verfügbar in (?:Ihrem|deinem) Land|in (?:Ihrem|deinem) Land (?:leider )?nicht verfügbar|pas disponible dans votre (?:pays|région)|no está disponible en (?:tu|su) (?:país|región)/i,
      short: 600,
      links: 6,
    },
  },
];
