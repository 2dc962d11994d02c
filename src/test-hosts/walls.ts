import type { TestReply } from './reply.ts';

/** A page by which a site refuses a program, as far as it can be recognized: the signs are real, the texts are ours. */
interface Wall extends Pick<TestReply, 'status' | 'headers'> {
  readonly html: string;
}

const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;

/** By the name that `verdict.signals` has for who refuses. */
export const WALLS: Readonly<Record<string, Wall>> = {
  cloudflare: {
    status: 403,
    headers: { 'cf-mitigated': 'challenge', server: 'cloudflare' },
    html: page(
      'Just a moment...',
      '<h1>shop.sluice.test</h1><p>Your browser is being checked. This takes a few seconds.</p>',
      '<script>window._cf_chl_opt={cType:"managed"}</script>',
    ),
  },
  datadome: {
    status: 403,
    headers: { 'x-dd-b': '1', 'x-datadome': 'protected' },
    html: page(
      'sluice.test',
      '<p id="cmsg">Please turn scripts on, and switch off what blocks advertisements.</p>',
      '<script src="https://ct.captcha-delivery.com/c.js"></script>',
    ),
  },
  human: {
    status: 403,
    html: page(
      'Access to this page has been denied',
      '<div id="px-captcha"></div><p>Press and hold the button.</p>',
    ),
  },
  akamai: {
    status: 403,
    headers: { server: 'AkamaiGHost' },
    html: page(
      'Access Denied',
      '<h1>Access Denied</h1><p>You do not have permission to access this page on this server.</p><p>Reference &#35;18.5f3e1202.1760000000.1a2b3c4d</p>',
    ),
  },
  imperva: {
    status: 403,
    html: page('', '<p>Request unsuccessful. Incapsula incident ID: 877000220012-166083219</p>'),
  },
  kasada: {
    status: 429,
    headers: { 'x-kpsdk-ct': '0a1b2c' },
    html: page(
      '',
      '<script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js"></script>',
    ),
  },
  'aws-waf': {
    status: 202,
    headers: { 'x-amzn-waf-action': 'challenge' },
    html: page('', '<div id="challenge-container"></div>', '<script>window.gokuProps={}</script>'),
  },
  f5: {
    status: 200,
    html: page(
      'Request Rejected',
      'The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 4711',
    ),
  },
  queue: {
    status: 200,
    html: page(
      'Waiting room',
      '<h1>You are in a queue</h1><p>Your estimated wait time: 4 minutes. This page reloads by itself; do not close it.</p>',
    ),
  },
};

/** A page that asks for a captcha before it shows anything. */
export const CAPTCHA = page(
  'Are you a robot?',
  '<h1>Are you a robot?</h1><p>Please confirm that you are a human to continue.</p><form method="post"><div class="g-recaptcha" data-sitekey="test-site-key"></div></form>',
  '<script src="https://www.google.com/recaptcha/api.js" async></script>',
);

/** A page that asks for consent before it shows anything. */
export const CONSENT = page(
  'Before you continue',
  '<main><h1>Before you continue</h1><p>We use cookies to measure how this site is used. You may accept or reject them.</p><form method="post"><button id="accept" name="consent" value="yes">Accept all</button> <button id="reject" name="consent" value="no">Reject all</button></form></main>',
);
