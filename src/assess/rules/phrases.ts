import type { Rule } from '../rule.ts';

/** Words that walls of nobody in particular use. They count only where hardly anything else is said. */
export const PHRASES: readonly Rule[] = [
  {
    id: 'phrase/checking-browser',
    kind: 'challenge',
    failed: 'js',
    confidence: 0.92,
    when: {
      title:
        /^(?:just a moment\b|checking your browser|one moment, please|verifying (?:that )?you are (?:a )?human|verify you are human|ddos protection by|human verification$|attention required! \||security check(?:point)?$|bot verification$)/i,
      short: 600,
      links: 6,
      fields: 1,
    },
  },
  {
    id: 'phrase/checking-browser-text',
    kind: 'challenge',
    failed: 'js',
    confidence: 0.9,
    when: {
      text: /(?:checking|verifying) your browser|(?:please )?enable javascript and cookies to continue|verif(?:y|ying) (?:that )?you are (?:a |not a )?(?:human|robot)/i,
      short: 250,
      links: 3,
      fields: 1,
    },
  },
  {
    id: 'phrase/captcha-alone',
    kind: 'captcha',
    failed: 'fingerprint',
    confidence: 0.9,
    when: {
      html: /class="(?:[^"<>]{0,60} )?(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha)[" ]|arkoselabs\.com\/v2|geetest_/i,
      text: /captcha|robot|human|verif|security check|unusual|suspicious|automated|blocked|confirm/i,
      short: 400,
      links: 3,
      fields: 0,
    },
  },
  {
    id: 'phrase/access-denied-title',
    kind: 'block',
    failed: null,
    confidence: 0.88,
    when: {
      status: [401, 403, 405, 406, 418, 429, 444, 503],
      title:
        /^(?:access (?:is )?(?:denied|forbidden)|(?:error )?403\b[^a-z]{0,5}(?:forbidden|access denied|blocked)|forbidden\b|blocked\b|request (?:blocked|rejected|denied)|you have been blocked|access to this page has been denied|error: the request could not be satisfied|sorry, you have been blocked)/i,
      short: 1200,
      links: 8,
      fields: 1,
    },
  },
  {
    // With 200 much more has to fit: a page about blocking has such a title, too.
    id: 'phrase/soft-block-title',
    kind: 'block',
    failed: null,
    confidence: 0.88,
    when: {
      status: [200, 202],
      title:
        /^(?:access (?:is )?denied|403 forbidden|request (?:blocked|rejected)|you have been blocked|access to this page has been denied|sorry, you have been blocked)[.!]?(?: [-|–] .{0,60})?$/i,
      text: /denied|blocked|rejected|forbidden|permission/i,
      short: 500,
      links: 4,
      fields: 1,
    },
  },
  {
    id: 'phrase/refused',
    kind: 'block',
    failed: null,
    confidence: 0.87,
    when: {
      status: [401, 403, 405, 406, 418, 429, 444, 503],
      text: /you have been blocked|unusual (?:traffic|activity)|automated (?:requests|access|queries|traffic)|suspicious activity|access to this (?:page|resource|site|website) (?:has been|is) (?:denied|blocked)|your (?:ip|ip address|request|access) (?:has been|was|is) (?:blocked|banned|denied|rejected)|(?:bots?|scrapers?|crawlers?) (?:are|is) not allowed|\baccess denied\b|^(?:403 )?forbidden\b/i,
      short: 800,
      links: 8,
      fields: 1,
    },
  },
  {
    id: 'phrase/soft-block',
    kind: 'block',
    failed: null,
    confidence: 0.86,
    when: {
      status: [200, 202],
      text: /you have been blocked|(?:detected|due to|because of) (?:unusual|suspicious|automated) (?:traffic|activity|access|requests)|your (?:ip|ip address|request|access) (?:has been|was|is) (?:blocked|banned|denied|rejected)|access to this (?:page|resource|site|website) (?:has been|is) (?:denied|blocked)/i,
      short: 450,
      links: 3,
      fields: 1,
    },
  },
  {
    id: 'phrase/too-many-requests',
    kind: 'rate',
    failed: 'rate',
    confidence: 0.88,
    when: {
      status: [200, 202, 403, 503],
      text: /too many requests|rate limit(?:ed| exceeded)|requesting (?:pages )?too (?:fast|quickly|often)|zu viele anfragen/i,
      short: 300,
      links: 3,
      fields: 0,
    },
  },
  {
    id: 'phrase/server-error',
    kind: 'error_page',
    failed: null,
    confidence: 0.9,
    when: {
      status: [200],
      title:
        /^(?:(?:error )?50[0234]\b|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|database error|fatal error)/i,
      text: /error|unavailable|gateway|time-?out|try again|database/i,
      short: 400,
      links: 4,
      fields: 0,
    },
  },
  {
    id: 'phrase/no-database',
    kind: 'error_page',
    failed: null,
    confidence: 0.93,
    when: { status: [200], text: /^.{0,40}error establishing a database connection/i, short: 200, links: 2 },
  },
];
