import { bare, ordinary } from '../a-page.ts';
import type { Case } from './case.ts';

const css = `<style>${'.a{color:#123;background:url(data:image/png;base64,AAAA)}'.repeat(2200)}</style>`;
const code = `<script>${'(function(a){return a<1?a:a-1})(2);'.repeat(1500)}</script>`;

/** Walls as they are seen in the field, beyond the examples of the rules. */
export const WALLED: readonly Case[] = [
  [
    'Cloudflare, with 403',
    'challenge',
    { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: bare('Just a moment...', '') },
  ],
  [
    'Cloudflare, with 429 at a shop',
    'challenge',
    { status: 429, headers: { 'cf-mitigated': 'challenge' }, body: '<title>Just a moment...</title>' },
  ],
  ['Cloudflare, with 200', 'challenge', { headers: { 'cf-mitigated': 'challenge' }, body: ordinary() }],
  [
    'Cloudflare, orchestrated',
    'challenge',
    {
      status: 403,
      body: bare(
        'x.example',
        '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8"></script>',
      ),
    },
  ],
  [
    'Cloudflare, 1006',
    'block',
    { status: 403, body: bare('Access denied', '<span class="cf-error-code">1006</span>') },
  ],
  ['Cloudflare, 1015 as text', 'rate', { status: 429, type: 'text/plain', body: 'error code: 1015' }],
  [
    'Imperva, a challenge over 100 KB of script',
    'challenge',
    {
      body: `<html><head>${code}${code}<script src="/_Incapsula_Resource?SWJIYLWA=5074a744e2e3d891814e9a2dace20bd4,719d34d31c8e3a6e6fffd425f7e032f3"></script></head><body></body></html>`,
    },
  ],
  [
    'a block page over 100 KB',
    'block',
    {
      status: 403,
      body: bare(
        'Access to this page has been denied',
        '<h1>Access to this page has been denied</h1><p>Write to us with number 12.</p>',
        css + code,
      ),
    },
  ],
  [
    'a soft block over 100 KB with 200',
    'block',
    {
      body: bare(
        'Access Denied',
        '<h1>Access denied</h1><p>Your request was denied, number 12.</p>',
        css + code,
      ),
    },
  ],
  ['a soft block with 200', 'block', { body: bare('Sorry', '<p>Sorry, you have been blocked.</p>') }],
  [
    'your address was banned',
    'block',
    { status: 403, body: bare('Banned', '<p>Your IP address has been banned.</p>') },
  ],
  [
    '403 of nginx',
    'block',
    {
      status: 403,
      body: '<html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center><hr><center>nginx</center></body></html>',
    },
  ],
  ['403 as text', 'block', { status: 403, type: 'text/plain', body: 'Forbidden' }],
  [
    'access denied as text',
    'block',
    { status: 403, type: 'text/plain; charset=utf-8', body: 'Access denied: bots are not allowed' },
  ],
  [
    '503 for programs',
    'block',
    { status: 503, body: bare('Sorry', '<p>We have seen automated requests from your network.</p>') },
  ],
  ['405 as a refusal', 'block', { status: 405, body: bare('Request blocked', '<p>Request blocked.</p>') }],
  [
    'DataDome, solvable',
    'captcha',
    {
      status: 403,
      body: bare(
        'a.example',
        "<script>var dd={'rt':'c','t':'fe','host':'geo.captcha-delivery.com'}</script>",
      ),
    },
  ],
  [
    'PerimeterX, with 200',
    'captcha',
    {
      body: bare(
        'Access',
        '<div id="px-captcha"></div><script src="https://captcha.px-cdn.net/PX1/captcha.js"></script>',
      ),
    },
  ],
  [
    'a captcha and nothing else',
    'captcha',
    {
      status: 403,
      body: bare(
        'Verify',
        '<p>Verification: tick the box.</p><div class="h-captcha" data-sitekey="a"></div>',
      ),
    },
  ],
  [
    'a Turnstile and nothing else',
    'captcha',
    {
      body: bare(
        'a.example',
        '<p>Confirm below to go on.</p><div class="cf-turnstile" data-sitekey="a"></div>',
      ),
    },
  ],
  [
    'Google, unusual traffic',
    'captcha',
    {
      status: 429,
      body: bare(
        'https://www.google.com/search',
        '<p>Our systems have detected unusual traffic from your computer network.</p><div class="g-recaptcha"></div>',
      ),
    },
  ],
  [
    'a cookie set by script, then again',
    'challenge',
    { body: '<html><body><script>document.cookie="k=1; path=/";location.reload();</script></body></html>' },
  ],
  [
    'the same with 503',
    'challenge',
    {
      status: 503,
      body: '<html><body><p>Wait</p><script>document.cookie="k="+(2+3);location.href="/";</script></body></html>',
    },
  ],
  [
    'checking your browser',
    'challenge',
    { status: 503, body: bare('DDoS protection by Shield', '<p>Checking your browser.</p>') },
  ],
  ['one moment, please', 'challenge', { body: bare('One moment, please...', '<p>Loading</p>') }],
  [
    'a challenge that a browser did not pass',
    'challenge',
    { status: 403, scripted: true, body: bare('Just a moment...', '<p>Verifying.</p>') },
  ],
  [
    'login, by redirect',
    'wall',
    {
      url: 'https://a.example/me',
      final: 'https://a.example/users/sign_in',
      body: bare('Sign in', '<form><input type="password"></form>'),
    },
    { wall: 'login' },
  ],
  [
    'login, by redirect to another host',
    'wall',
    {
      url: 'https://a.example/me',
      final: 'https://id.a.example/login?to=me',
      body: bare('A', '<form><input type="password"></form>'),
    },
    { wall: 'login' },
  ],
  [
    'Facebook',
    'wall',
    { url: 'https://www.facebook.com/a', final: 'https://www.facebook.com/login/?next=a', body: ordinary() },
    { wall: 'login' },
  ],
  ['LinkedIn, 999', 'block', { status: 999, url: 'https://www.linkedin.com/in/a', body: '' }],
  [
    'log in to read',
    'wall',
    {
      status: 403,
      body: bare('Forum', '<p>Please log in to view this board.</p><form><input type="password"></form>'),
    },
    { wall: 'login' },
  ],
  [
    'consent of a network of newspapers',
    'wall',
    { url: 'https://a.example/news', final: 'https://consent.b.example/?to=a', body: ordinary() },
    { wall: 'consent' },
  ],
  [
    'consent, YouTube',
    'wall',
    {
      url: 'https://www.youtube.com/watch?v=a',
      final: 'https://consent.youtube.com/m?continue=a',
      body: ordinary(),
    },
    { wall: 'consent' },
  ],
  [
    'geo, in German',
    'wall',
    { body: bare('Video', '<p>Dieses Video ist in Ihrem Land leider nicht verfügbar.</p>') },
    { wall: 'geo' },
  ],
  [
    'geo, 451',
    'wall',
    { status: 451, body: bare('451', '<p>Not for visitors from the European Union (GDPR).</p>') },
    { wall: 'geo' },
  ],
  [
    'geo, in windows-1252',
    'wall',
    {
      type: 'text/html; charset=windows-1252',
      body: Buffer.from(bare('Video', '<p>Dieses Video ist in Ihrem Land nicht verf\xfcgbar.</p>'), 'latin1'),
    },
    { wall: 'geo' },
  ],
  [
    'geo, in UTF-16',
    'wall',
    {
      type: 'text/html',
      body: Buffer.from(
        `\ufeff${bare('V', '<p>This film is not available in your country.</p>')}`,
        'utf16le',
      ),
    },
    { wall: 'geo' },
  ],
];
