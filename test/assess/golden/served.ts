import { bare, ordinary, prose } from '../a-page.ts';
import type { Case } from './case.ts';

/** Pages that were served, and were once taken for walls by somebody (public reports); and their neighbours. */
export const SERVED: readonly Case[] = [
  [
    'Imperva headers on every answer',
    'ok',
    { headers: { 'x-iinfo': '21-162848-0 NNYN', 'x-cdn': 'Incapsula' }, body: ordinary() },
  ],
  [
    'the same on a small page',
    'ok',
    {
      headers: { 'x-iinfo': '9-1-0 0CNN', 'x-cdn': 'Imperva' },
      body: bare('Hours', '<p>Open from nine to five.</p>'),
    },
  ],
  [
    'a gateway of AWS tells its request',
    'ok',
    { headers: { 'x-amzn-requestid': 'a-b-c' }, body: ordinary() },
  ],
  [
    'the same with JSON',
    'ok',
    {
      headers: { 'x-amzn-requestid': 'a', 'x-amz-apigw-id': 'b' },
      type: 'application/json',
      body: '{"ok":true}',
    },
  ],
  [
    'hCaptcha in a form to subscribe',
    'ok',
    {
      body: ordinary({
        body: '<form><input name="mail"><div class="h-captcha" data-sitekey="a"></div></form>',
      }),
    },
  ],
  [
    'a small contact form with reCAPTCHA',
    'ok',
    {
      body: bare(
        'Contact',
        '<h1>Contact</h1><form><input name="name"><input name="mail" type="email"><textarea name="t"></textarea><div class="g-recaptcha"></div><button>Send</button></form><script src="https://www.google.com/recaptcha/api.js"></script>',
      ),
    },
  ],
  [
    'a small form with Turnstile that says it verifies',
    'ok',
    {
      body: bare(
        'Join',
        '<h1>Join</h1><p>We verify by mail.</p><form><input name="mail"><div class="cf-turnstile"></div></form>',
      ),
    },
  ],
  [
    'FunCaptcha loaded beside an article',
    'ok',
    { body: ordinary({ head: '<script src="https://client-api.arkoselabs.com/v2/A/api.js"></script>' }) },
  ],
  [
    'Akamai: _abck and its telemetry',
    'ok',
    {
      headers: { 'set-cookie': '_abck=A~-1~B; path=/' },
      body: ordinary({ head: '<script>bmak.form_submit&&bmak.get_telemetry()</script>' }),
    },
  ],
  [
    'Akamai: the script with a random path, on a small page',
    'ok',
    {
      headers: { 'set-cookie': 'bm_sz=A; path=/', server: 'AkamaiGHost' },
      body: bare('Score', '<h1>2 : 1</h1><p>Final score.</p><script src="/a8Bc/dE/f"></script>'),
    },
  ],
  [
    'PerimeterX: the sensor on a product',
    'ok',
    {
      headers: { 'set-cookie': '_pxhd=1; path=/' },
      body: ordinary({
        head: '<script>window._pxAppId="PXu6b0qd2S";</script><script src="/px/PXu6b0qd2S/init.js"></script>',
      }),
    },
  ],
  [
    'PerimeterX: the sensor on a small product page',
    'ok',
    {
      headers: { 'set-cookie': '_px3=a; path=/' },
      body: bare('Mug', '<h1>Mug</h1><p>9.99, in stock</p><script>window._pxAppId="PX1";</script>'),
    },
  ],
  [
    'Turnstile under an article',
    'ok',
    {
      body: ordinary({
        body: '<div class="cf-turnstile"></div><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
      }),
    },
  ],
  [
    'Tencent captcha beside an article',
    'ok',
    { body: ordinary({ head: '<script src="https://turing.captcha.qcloud.com/TCaptcha.js"></script>' }) },
  ],
  [
    'GeeTest in the script of a shop',
    'ok',
    { body: ordinary({ head: '<script>var geetest_ready=1</script>' }) },
  ],
  [
    'Cloudflare: detections by script on a 403 of the site',
    'ok',
    {
      status: 403,
      headers: { 'cf-ray': 'a' },
      body: bare(
        'Members',
        '<h1>Members only</h1><p>Ask Ann for an invitation.</p><script>window.__CF$cv$params={r:"a"};a.src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"</script>',
      ),
    },
  ],
  [
    'Cloudflare: detections by script on a 503 of the site',
    'error_page',
    {
      status: 503,
      headers: { 'cf-ray': 'a' },
      body: bare(
        'Back soon',
        '<h1>Back at noon</h1><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>',
      ),
    },
  ],
  [
    'Cloudflare: mail addresses hidden, rocket loader',
    'ok',
    {
      headers: { 'cf-ray': 'a' },
      body: bare(
        'Team',
        '<p>Write to <a href="/cdn-cgi/l/email-protection">us</a>, or call.</p><script src="/cdn-cgi/scripts/7d0fa10a/cloudflare-static/rocket-loader.min.js"></script>',
      ),
    },
  ],
  [
    '378 bytes of a real document',
    'ok',
    {
      body: bare(
        'Release notes',
        '<h1>Release notes 1.4.2</h1><ul><li>Fixed: the export forgot the last line.</li><li>New: a key for the help.</li></ul><p>See the <a href="/docs">manual</a> for all of it.</p>',
      ),
    },
  ],
  ['a tiny page', 'ok', { body: '<html><body>It works!</body></html>' }],
  [
    'a tiny page with statistics',
    'ok',
    { body: bare('Hi', '<h1>Hello</h1><script async src="https://stats.example/s.js"></script>') },
  ],
  ['a title and nothing else', 'ok', { body: '<title>Parked</title>' }],
  [
    'an article about "Access denied"',
    'ok',
    {
      body: ordinary({
        title: 'Access Denied: what the page means',
        body: '<p>you have been blocked, unusual traffic</p>',
      }),
    },
  ],
  [
    'an article about captchas',
    'ok',
    {
      body: ordinary({
        title: 'Why we all hate CAPTCHAs',
        body: '<p>Verify you are human. Robot or human? px-captcha, g-recaptcha.</p>',
      }),
    },
  ],
  [
    'source of a challenge page, quoted',
    'ok',
    {
      body: ordinary({
        body: '<pre>&lt;script&gt;window._cf_chl_opt={}&lt;/script&gt;</pre><script>var shown="window._cf_chl_opt=1"</script>',
      }),
    },
  ],
  [
    'a poem called Forbidden',
    'ok',
    {
      body: bare(
        'Forbidden fruit, a poem',
        '<p>The apple hung above the wall,<br>and nobody was blocked at all.</p>',
      ),
    },
  ],
  [
    'a novel called Access Denied',
    'ok',
    {
      body: bare(
        'Access Denied (novel) – Library',
        '<h1>Access Denied</h1><p>A novel of 1998, 312 pages. On the shelf: 2 copies.</p><a href="/borrow">Borrow</a>',
      ),
    },
  ],
  ['an album called Just a Moment', 'ok', { body: bare('Just a Moment (album)', `<p>${prose(700)}</p>`) }],
  [
    'a login page that was asked for',
    'ok',
    {
      url: 'https://site.example/login',
      body: bare('Log in', '<form><input name="u"><input type="password"></form>'),
    },
  ],
  [
    'a login page with a captcha that was asked for',
    'ok',
    {
      url: 'https://site.example/signin',
      body: bare(
        'Sign in',
        '<p>Confirm that you are human.</p><form><input name="u"><input type="password"><div class="g-recaptcha"></div></form>',
      ),
    },
  ],
  [
    'an intranet whose first page is a login',
    'ok',
    {
      url: 'https://mail.site.example/',
      body: bare('Sign in', '<form><input name="u"><input type="password"></form>'),
    },
  ],
  [
    'a page with a login in its corner',
    'ok',
    { body: ordinary({ body: '<form><input name="u"><input type="password"></form>' }) },
  ],
  [
    'a forum where one may read and must log in to write',
    'ok',
    {
      body: bare(
        'Topic',
        '<p>First post: the lid fits.</p><p>You must log in to reply.</p><form><input name="u"><input type="password"></form>',
      ),
    },
  ],
  [
    'a banner for cookies before the text',
    'ok',
    {
      body: ordinary({
        title: 'We value your privacy and our kettles',
        body: '<div id="onetrust-banner-sdk"><button>Accept all</button></div>',
      }),
    },
  ],
  [
    'a page on delivery that is not available',
    'ok',
    { body: ordinary({ body: '<p>This item is not available in your country.</p>' }) },
  ],
  [
    'a page on privacy at /consent',
    'ok',
    {
      url: 'https://site.example/consent',
      body: bare('Consent', '<p>How we ask for consent to cookies.</p>'),
    },
  ],
  [
    'status page that speaks of rate limits',
    'ok',
    { body: ordinary({ title: 'Too many requests', body: '<p>rate limit exceeded</p>' }) },
  ],
  [
    'a manual of nginx with 502 in its title',
    'ok',
    { body: ordinary({ title: '502 Bad Gateway explained' }) },
  ],
  [
    'F5 cookies and script of a bank',
    'ok',
    {
      headers: { 'set-cookie': 'TS01234567=a; path=/' },
      body: bare(
        'Branch 12',
        '<h1>Branch 12</h1><p>Market square 3, open till six.</p>',
        '<script src="/TSPD/0811?type=11"></script>',
      ),
    },
  ],
  [
    'Kasada headers on a page that came',
    'ok',
    { headers: { 'x-kpsdk-ct': 'a', 'x-kpsdk-st': '1' }, body: ordinary() },
  ],
  [
    'AWS WAF token and script of integration',
    'ok',
    {
      headers: { 'set-cookie': 'aws-waf-token=a; path=/' },
      body: bare(
        'Seats',
        '<p>Row 5: two seats left.</p><script src="https://a.edge.sdk.awswaf.com/a/b/challenge.js" defer></script>',
      ),
    },
  ],
  [
    'Sucuri in front of a small page',
    'ok',
    {
      headers: { server: 'Sucuri/Cloudproxy', 'x-sucuri-id': '1' },
      body: bare('Choir', '<p>Rehearsal on Thursday.</p>'),
    },
  ],
  [
    'DDoS-Guard in front of a small page',
    'ok',
    {
      headers: { server: 'ddos-guard', 'set-cookie': '__ddg2_=a; path=/' },
      body: bare('Choir', '<p>Rehearsal on Thursday.</p>'),
    },
  ],
  [
    'reese84 and incap cookies',
    'ok',
    {
      headers: { 'set-cookie': 'reese84=3:a; path=/' },
      body: bare('Timetable', '<table><tr><td>08:10</td><td>Harbour</td></tr></table>'),
    },
  ],
  ...['svg-icon', 'title-bar', 'object-view', 'template-outlet'].map(
    (name): Case => [
      `an element named ${name} around all that a page says`,
      'ok',
      {
        body: bare(
          'Stall',
          `<div id="app"><${name}><p>${prose(300)}</p></${name}></div><script src="/a.js"></script>`,
        ),
      },
    ],
  ),
];
