import { type Rule, verdict } from '../rule.ts';

/**
 * Challenge and block pages of content delivery networks and their firewalls. "Served pages" are the real pages of a site, not
 * challenges or blocks.
 */
export const CDN_RULES: readonly Rule[] = [
  {
    // Documented by Cloudflare: set on every challenge page, and only there.
    id: 'cloudflare/cf-mitigated',
    ...verdict('challenge', 'js', 0.99),
    when: { header: ['cf-mitigated', /^challenge$/i] },
  },
  {
    // Not `scripts/jsd`, which is also part of served pages.
    id: 'cloudflare/challenge-page',
    ...verdict('challenge', 'js', 0.98),
    when: {
      html: /window\._cf_chl_opt\b|id="challenge-form"|\/cdn-cgi\/challenge-platform\/[^"'<>\s]{0,100}orchestrate/,
    },
  },
  {
    id: 'cloudflare/rate-limited',
    ...verdict('rate', 'rate', 0.97),
    when: {
      status: [403, 429],
      html: /class="cf-error-code">\s*1015\s*<|^\s*error code: 1015\s*$/,
      maxTextLength: 1500,
    },
  },
  {
    id: 'cloudflare/error-code',
    ...verdict('block', 'ip', 0.97),
    when: {
      html: /class="cf-error-code">\s*10(?:0[5-9]|10|12|20)\s*<|^\s*error code: 10(?:0[5-9]|10|12|20)\s*$/,
      maxTextLength: 1500,
    },
  },
  {
    id: 'cloudflare/blocked-page',
    ...verdict('block', 'ip', 0.95),
    when: {
      status: [403],
      html: /id="cf-error-details"/,
      text: /you have been blocked/i,
      maxTextLength: 2500,
    },
  },
  {
    id: 'vercel/x-vercel-mitigated',
    ...verdict('challenge', 'js', 0.99),
    when: { header: ['x-vercel-mitigated', /^challenge$/i] },
  },
  {
    id: 'vercel/checkpoint',
    ...verdict('challenge', 'js', 0.97),
    when: { title: /^Vercel Security Checkpoint$/i, maxTextLength: 400, maxLinks: 3 },
  },
  {
    id: 'aws-waf/action-challenge',
    ...verdict('challenge', 'js', 0.99),
    when: { header: ['x-amzn-waf-action', /^challenge$/i] },
  },
  {
    id: 'aws-waf/action-captcha',
    ...verdict('captcha', 'js', 0.99),
    when: { header: ['x-amzn-waf-action', /^captcha$/i] },
  },
  {
    // Not challenge.js, which served pages also load.
    id: 'aws-waf/challenge-page',
    ...verdict('challenge', 'js', 0.94),
    when: { html: /window\.gokuProps\s{0,5}=/, maxTextLength: 600 },
  },
  {
    id: 'aws-waf/x-blocked-by-waf',
    ...verdict('block', null, 0.9),
    when: { status: [401, 403, 405, 406, 429, 503], header: ['x-blocked-by-waf', /./] },
  },
  {
    id: 'cloudfront/request-blocked',
    ...verdict('block', null, 0.88),
    when: {
      status: [403],
      text: /the request could not be satisfied/i,
      html: /cloudfront/i,
      maxTextLength: 1500,
    },
  },
  {
    id: 'akamai/sec-cpt',
    ...verdict('challenge', 'js', 0.98),
    when: { status: [428], html: /sec-cp-challenge|_sec\/cp_challenge/, maxTextLength: 1500 },
  },
  {
    id: 'akamai/reference',
    ...verdict('block', 'fingerprint', 0.95),
    when: {
      status: [200, 400, 403, 429, 503],
      text: /access denied|permission to access/i,
      html: /Reference\s{0,9}(?:#|&#35;)\s{0,9}\d{1,3}\.[0-9a-f]{1,16}\.\d{1,16}\.[0-9a-f]{1,16}/i,
      maxTextLength: 1200,
    },
  },
  {
    id: 'akamai/pardon-our-interruption',
    ...verdict('challenge', 'js', 0.9),
    when: {
      title: /^Pardon Our Interruption/i,
      text: /(?:about|in) your browser|(?:you(?: are|'re)|were) a (?:ro)?bot|disabled (?:javascript|cookies)|super-?human speed/i,
      maxTextLength: 1500,
    },
  },
  {
    id: 'akamai/interstitial',
    ...verdict('challenge', 'js', 0.96),
    when: { html: /\/_sec\/verify\?provider=|["']bm-verify["']\s{0,3}:/, maxTextLength: 300, maxLinks: 3 },
  },
  {
    // Only the challenge page loads these files. Served pages may load others of the same folder.
    id: 'fastly/client-challenge',
    ...verdict('challenge', 'js', 0.96),
    when: { html: /\/_fs-ch-\w{4,40}\/(?:assets\/|script\.js|errors\.js)/, maxTextLength: 500, maxLinks: 3 },
  },
  {
    id: 'fastly/could-not-load',
    ...verdict('challenge', 'js', 0.94),
    when: {
      title: /^Client Challenge$/i,
      text: /^$|part of this site (?:couldn|could not)|javascript is disabled|your browser/i,
      maxTextLength: 500,
      maxLinks: 3,
    },
  },
  {
    id: 'azure/request-blocked',
    ...verdict('block', null, 0.95),
    when: {
      status: [403, 429],
      text: /^(?:.{0,40} )?The request is blocked\./i,
      maxTextLength: 300,
      maxLinks: 2,
      maxFields: 0,
    },
  },
  {
    id: 'azure/challenge-page',
    ...verdict('challenge', 'js', 0.95),
    when: { html: /["'(]\/\.azwaf\/|<title>Azure WAF<\/title>/i, maxTextLength: 500, maxLinks: 3 },
  },
  {
    id: 'aliyun/waf',
    ...verdict('block', null, 0.95),
    when: { status: [403, 405], html: /\/\/errors\.aliyun\.com\//, maxTextLength: 600, maxLinks: 4 },
  },
];
