import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import type { BrowserOptions } from '../../../src/domain/browser-options.ts';
import type { ScreenshotOptions } from '../../../src/domain/captures.ts';
import { failure } from '../../../src/domain/failure.ts';
import type { FetchResult } from '../../../src/domain/fetch-result.ts';
import { DEFAULT_PDF_OPTIONS } from '../../../src/domain/files.ts';
import { DEFAULT_SCRAPER_OPTIONS, type ScraperOptions } from '../../../src/domain/scraper-options.ts';
import type { CallerCookie } from '../../../src/domain/task.ts';
import type { FetchRequest } from '../../../src/ports/scraper.ts';
import type { JobChange } from '../../contracts/fetch-order.ts';
import { urlCheck } from '../../contracts/fetch-order.ts';
import { html, type Routes, startTarget, type Target } from './target.ts';

/** A request whose result must be the same with both drivers. */
export interface DriverCase {
  readonly name: string;
  readonly path: string;
  /**
   * `site`: the fixture site by http; `tls`: by https; `wrong name`: by https with a name that is not in its certificate; absent:
   * the pages of `targetOfDrivers`.
   */
  readonly on?: 'site' | 'tls' | 'wrong name';
  readonly change?: JobChange;
  readonly allowUrl?: FetchRequest['allowUrl'] & object;
  /** What may differ between two fetches of the same page. */
  readonly loose?: readonly ('body' | 'pixels')[];
  /** Checks that the case shows what it is for: equal results could both be wrong. */
  readonly check?: (fetched: FetchResult) => void;
}

export const has = (text: string) => (fetched: FetchResult) =>
  assert.ok(
    Buffer.from(fetched.page?.body ?? []).includes(text),
    `${text} is not in the body (failure: ${fetched.failure?.message ?? 'none'})`,
  );
const fails = (code: string) => (fetched: FetchResult) => assert.equal(fetched.failure?.code, code);
const misses = (code: string) => (fetched: FetchResult) =>
  assert.deepEqual(
    fetched.page?.missingParts?.map((one) => one.code),
    [code],
  );
const gives = (status: number) => (fetched: FetchResult) => assert.equal(fetched.page?.statusCode, status);

const wait = (browser: Partial<BrowserOptions>): JobChange => ({ browser });
const selector = (
  css: string,
  state: ScraperOptions['waitForSelectorState'] = 'visible',
  timeoutMs = 60_000,
): JobChange => ({
  timeoutMs,
  browser: { waitForSelector: `css=${css}` },
  options: { waitForSelectorState: state },
});
const picture = (more: Partial<ScreenshotOptions> = {}): JobChange => ({
  browser: { screenshot: true },
  options: { screenshot: { ...DEFAULT_SCRAPER_OPTIONS.screenshot, ...more } },
});
const cookie = (name: string, value: string, more: Partial<CallerCookie> = {}): CallerCookie => ({
  name,
  value,
  domain: null,
  path: null,
  secure: false,
  httpOnly: false,
  sameSite: null,
  expires: null,
  ...more,
});
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

export const CASES: readonly DriverCase[] = [
  { name: 'a page', path: '/html/30000', on: 'site', check: gives(200) },
  {
    name: 'what a page can find out',
    path: '/facts',
    change: wait({ waitForTimeoutMs: 1_000 }),
    check: has(' 1280 720</p>'),
  },
  { name: 'made by script', path: '/later', change: wait({ waitForTimeoutMs: 400 }), check: has('late') },
  { name: 'commit', path: '/slow', change: wait({ waitForLoadState: 'commit', waitForTimeoutMs: 300 }) },
  { name: 'domcontentloaded', path: '/slow', change: wait({ waitForLoadState: 'domcontentloaded' }) },
  {
    name: 'networkidle',
    path: '/busy',
    change: wait({ waitForLoadState: 'networkidle' }),
    check: has('three'),
  },
  { name: 'a selector that comes', path: '/later', change: selector('body > b#late'), check: has('late') },
  { name: 'a selector in a shadow tree', path: '/shadow', change: selector('main .in'), check: has('<main') },
  {
    name: 'a selector that is never seen',
    path: '/hidden',
    change: selector('#none', 'visible', 3_000),
    check: misses('wait.selector_timeout'),
  },
  {
    name: 'a selector that is there',
    path: '/hidden',
    change: selector('#none', 'attached'),
    check: has('none'),
  },
  {
    name: 'a selector that is hidden',
    path: '/hidden',
    change: selector('#none', 'hidden'),
    check: has('none'),
  },
  {
    name: 'one that becomes hidden',
    path: '/hides',
    change: selector('#veil', 'hidden'),
    check: has('display: none'),
  },
  {
    name: 'one that goes',
    path: '/hides',
    change: selector('[data-a="b c"]', 'detached'),
    check: gives(200),
  },
  {
    name: 'one that is never there',
    path: '/hidden',
    change: selector('i, u', 'attached', 3_000),
    check: misses('wait.selector_timeout'),
  },
  { name: 'without a box of its own', path: '/contents', change: selector('#contents'), check: gives(200) },
  { name: 'a selector of the next page', path: '/leads', change: selector('#to'), check: has('landscape') },
  { name: 'a redirect', path: '/redirect/3', on: 'site', check: gives(200) },
  {
    name: 'a redirect that is the result',
    path: '/redirect/1',
    on: 'site',
    change: { allowRedirects: false },
    check: gives(302),
  },
  { name: 'too many redirects', path: '/redirect/25', on: 'site', check: fails('redirect.too_many') },
  {
    name: 'too many redirects for the caller',
    path: '/redirect/3',
    on: 'site',
    change: { options: { maxRedirects: 2 } },
    check: fails('redirect.too_many'),
  },
  {
    name: 'printed across',
    path: '/html/30000',
    on: 'site',
    change: { options: { pdf: { ...DEFAULT_PDF_OPTIONS, landscape: true } } },
    check: ({ page }) =>
      assert.match(Buffer.from(page!.pdf!.bytes).toString('latin1'), /MediaBox \[0 0 792 612\]/),
  },
  {
    name: 'a redirect to nowhere',
    path: '/redirect-to?url=ftp%3A%2F%2Fa%2F',
    on: 'site',
    check: fails('redirect.invalid'),
  },
  { name: 'a page that leads on', path: '/leads', check: has('landscape') },
  { name: 'a page that changes its address', path: '/pushes#a', check: gives(200) },
  { name: 'no content', path: '/status/204', on: 'site', check: gives(204) },
  { name: 'an error without a body', path: '/empty-404', check: gives(404) },
  { name: 'an error page', path: '/error', check: gives(500) },
  { name: 'a download', path: '/download', check: has('raw') },
  { name: 'JSON', path: '/json', on: 'site', check: has('fixture') },
  { name: 'text', path: '/text', on: 'site', check: has('plain') },
  { name: 'an image', path: '/image', on: 'site', check: gives(200) },
  {
    name: 'bytes that are cut',
    path: '/bytes/5000',
    on: 'site',
    change: { options: { maxContentBytes: 1000 } },
    check: gives(200),
  },
  {
    name: 'a page that is cut',
    path: '/html/5000',
    on: 'site',
    change: { options: { maxContentBytes: 1000 } },
    check: gives(200),
  },
  { name: 'a coded page', path: '/br', on: 'site', check: gives(200) },
  { name: 'Shift_JIS', path: '/sjis', check: has('日本') },
  { name: 'windows-1252 that nobody told', path: '/latin', check: has('caf\u00e9') },
  { name: 'a type that nobody told', path: '/untyped', check: has('<p>untyped') },
  { name: 'a body that breaks off', path: '/close-midway', on: 'site', check: gives(200) },
  { name: 'no answer', path: '/close-at-once', on: 'site', check: fails('connect.reset') },
  { name: 'nobody there', path: 'http://127.0.0.1:1023/', check: fails('connect.refused') },
  { name: 'an address that may not be reached', path: 'http://10.0.0.1/', check: fails('policy.address') },
  { name: 'a certificate that nobody trusts', path: '/html/100', on: 'tls', check: fails('tls.invalid') },
  {
    name: 'a domain that may not be visited',
    path: '/leads',
    allowUrl: urlCheck(({ pathname }) => (pathname === '/to' ? failure('policy.domain', 'No.') : null)),
    check: fails('policy.domain'),
  },
  {
    name: 'sub-resources that may not be reached',
    path: '/sub',
    check: (fetched) => assert.equal(fetched.warnings[0]?.code, 'egress.blocked'),
  },
  { name: 'no answer in time', path: '/never', change: { timeoutMs: 1_500 }, check: fails('timeout.total') },
  {
    name: 'a page that loads for ever',
    path: '/endless',
    change: { timeoutMs: 3_000 },
    check: misses('wait.load_timeout'),
  },
  {
    name: 'POST',
    path: '/echo',
    on: 'site',
    change: {
      method: 'POST',
      body: {
        bytes: Buffer.from('a=1'),
        contentType: 'application/x-www-form-urlencoded',
        type: 'form',
      } as never,
    },
    check: gives(200),
  },
  { name: 'DELETE', path: '/echo', on: 'site', change: { method: 'DELETE' }, check: has('DELETE') },
  {
    name: 'header fields',
    path: '/headers',
    on: 'site',
    change: {
      headers: [
        ['X-A', '1'],
        ['Accept-Language', 'fr'],
        ['X-A', '2'],
      ],
    },
    check: has('fr'),
  },
  {
    name: 'a user agent',
    path: '/frames',
    change: { options: { userAgent: CHROME } },
    check: has('Windows NT'),
  },
  {
    name: 'cookies of the caller',
    path: '/cookies',
    on: 'site',
    change: {
      cookies: [
        cookie('a', '1'),
        cookie('b', '2', { path: '/cookies', httpOnly: true, sameSite: 'lax', expires: 4_000_000_000 }),
      ],
    },
    check: has('b'),
  },
  {
    name: 'cookies of the target',
    path: '/sets',
    check: ({ page }) => assert.equal(page?.cookies.length, 3),
  },
  {
    name: 'a cookie that browsers do not take',
    path: '/facts',
    change: { cookies: [cookie('__Host-a', '1', { path: '/b' })] },
    check: fails('scraper.unsupported_option'),
  },
  { name: 'dialogs', path: '/dialogs', check: has('null false undefined') },
  { name: 'a popup', path: '/popup', change: wait({ waitForTimeoutMs: 300 }), check: has('opened') },
  {
    name: 'frames of other sites',
    path: '/frames',
    change: wait({ waitForTimeoutMs: 200 }),
    check: has('inner'),
  },
  { name: 'workers', path: '/workers', change: selector('#done'), check: has('worker') },
  {
    name: 'a picture',
    path: '/drawn',
    change: picture(),
    check: ({ page }) => assert.equal(page?.screenshot?.height, 720),
  },
  {
    name: 'a picture of all of it',
    path: '/drawn',
    change: picture({ fullPage: true }),
    check: ({ page }) => assert.equal(page?.screenshot?.height, 2400),
  },
  {
    name: 'a picture as JPEG',
    path: '/frames',
    change: picture({ type: 'image/jpeg', quality: 60 }),
    loose: ['pixels'],
  },
  {
    name: 'a picture of bytes',
    path: '/json',
    on: 'site',
    change: picture(),
    check: misses('screenshot.failed'),
  },
  { name: 'what moves', path: '/moves', change: selector('#moved'), check: has('seen 1') },
];

const FACTS = `<!doctype html><meta charset=utf-8><p id=out></p><iframe srcdoc="<p>a"></iframe><script>
const media = ['(hover)', '(pointer: fine)', '(orientation: landscape)', '(prefers-color-scheme: light)',
  '(prefers-reduced-motion: no-preference)', '(forced-colors: none)', '(display-mode: browser)', '(color-gamut: srgb)',
  '(update: fast)', '(resolution: 1dppx)'];
const font = (family) => { const s = document.createElement('span'); s.style.fontFamily = family; s.textContent = 'mmmWWWiii';
  document.body.append(s); const { width, height } = s.getBoundingClientRect(); s.remove(); return [family, width, height]; };
const own = (of) => { const all = []; for (const name in of) if (typeof of[name] !== 'object' && typeof of[name] !== 'function') all.push([name, String(of[name])]); return all; };
// Where the window is, and how large, comes to a page a moment after its first script.
setTimeout(() => { out.append(...[screenX, screenY, outerWidth, outerHeight].map((one) => ' ' + one)) }, 300);
out.textContent = JSON.stringify({
  sizes: [innerWidth, innerHeight, devicePixelRatio],
  screen: [screen.width, screen.height, screen.availWidth, screen.availHeight, screen.colorDepth, screen.orientation.type, screen.orientation.angle],
  visual: [visualViewport.width, visualViewport.height, visualViewport.scale],
  media: media.map((one) => [one, matchMedia(one).matches]),
  navigator: own(navigator), touch: 'ontouchstart' in window, languages: navigator.languages,
  agent: navigator.userAgentData && [navigator.userAgentData.brands, navigator.userAgentData.mobile, navigator.userAgentData.platform],
  page: [document.hasFocus(), document.visibilityState, document.hidden, document.referrer, history.length, opener === null, name, frames.length],
  zone: Intl.DateTimeFormat().resolvedOptions(), fonts: ['serif', 'sans-serif', 'monospace', 'cursive', 'fantasy', 'system-ui', 'Arial'].map(font),
  globals: Object.getOwnPropertyNames(window).length, stack: new Error('a').stack.split('\\n').length, notification: Notification.permission,
  chrome: typeof chrome, plugins: navigator.plugins.length, storage: [localStorage.length, sessionStorage.length, document.cookie], isolated: [isSecureContext, crossOriginIsolated],
});
const told = navigator.permissions ? Promise.all(['geolocation', 'notifications', 'camera', 'clipboard-read'].map((name) =>
  navigator.permissions.query({ name }).then(({ state }) => name + state, String))) : Promise.resolve([]);
told.then((all) => { document.body.append(all.join()) });
</script>`;

/** The same server by another name: to a browser, another site. */
const other = ({ headers }: IncomingMessage) => `http://localhost:${headers.host!.split(':')[1]}`;
const HTML = { 'content-type': 'text/html' };

/** Serves pages that the drivers could treat differently. */
export function targetOfDrivers(more: Routes): Promise<Target> {
  return startTarget({
    ...more,
    '/': html('<p>a'),
    '/facts': html(FACTS),
    '/later': html(
      '<p>now</p><script>setTimeout(() => { document.body.insertAdjacentHTML("beforeend", "<b id=late>late</b>") }, 150)</script>',
    ),
    '/slow': html('<p>slow</p><img src=/late.png>'),
    '/late.png': (_, response) => void setTimeout(() => response.writeHead(404).end(), 1_000),
    '/busy': html(
      '<p id=p></p><script>let n = 0; for (const a of ["one", "two", "three"]) fetch("/echo?" + a).then((r) => r.text()).then((t) => { if (++n === 3) p.textContent = "three" })</script>',
    ),
    '/echo': html('echo'),
    '/shadow': html(
      '<main id=m><p>a</p></main><script>setTimeout(() => { const r = m.firstChild.attachShadow({ mode: "open" }); setTimeout(() => { r.innerHTML = "<b class=in>in</b>" }, 50) }, 50)</script>',
    ),
    '/hidden': html('<p id=none style="display:none">none</p><p id=zero></p>'),
    '/hides': html(
      '<p id=veil>a</p><p data-a="b c">b</p><script>setTimeout(() => { veil.style.display = "none" }, 100); setTimeout(() => document.querySelector("[data-a]").remove(), 1500)</script>',
    ),
    '/contents': html('<div id=contents style="display:contents">text</div>'),
    '/leads': html('<script>location.href = "/to"</script>'),
    '/to': html('<p id=to>landscape'),
    '/pushes': html('<script>history.pushState(null, "", "/pushed?a=1")</script>'),
    '/empty-404': (_, response) => void response.writeHead(404, HTML).end(),
    '/error': html('<h1>broken</h1>', 500),
    '/download': html('raw <b>bytes</b>', 200, { 'content-disposition': 'attachment; filename=a.html' }),
    '/sjis': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html; charset=shift_jis' })
        .end(Buffer.from('3c703e93fa967b', 'hex')),
    '/latin': (_, response) => void response.writeHead(200, HTML).end(Buffer.from('<p>caf\u00e9', 'latin1')),
    '/untyped': (_, response) => void response.writeHead(200).end('<!doctype html><p>untyped'),
    '/sub': html('<img src="http://10.0.0.1/a.png"><img src="http://10.0.0.1/b.png"><p>page'),
    '/never': () => {},
    '/endless': (_, response) => {
      response.writeHead(200, HTML).write('<p>endless');
    },
    '/sets': html(
      '<script>document.cookie = "c=3; expires=Wed, 01 Dec 2027 00:00:00 GMT"; document.cookie = "gone=1; max-age=0"</script>',
      200,
      {
        'set-cookie': ['a=1; path=/; httponly', 'b=2; samesite=strict'] as never,
      },
    ),
    '/dialogs': html(
      '<p id=p></p><script>onbeforeunload = () => "stay"; p.textContent = [prompt("a"), confirm("b"), alert("c")].join(" ").replace(/^ /, "null ").replace(/ $/, " undefined"); try { print() } catch {}</script>',
    ),
    '/popup': html(
      '<p id=p></p><script>const w = open("/facts"); p.textContent = "opened " + (w === null)</script>',
    ),
    '/inner': html(
      '<p>inner</p><script>parent.postMessage(JSON.stringify([innerWidth, navigator.userAgent, matchMedia("(prefers-color-scheme: light)").matches, document.body.firstChild.getBoundingClientRect().width]), "*")</script>',
    ),
    '/frames': (request, response) =>
      html(
        `<p>${request.headers['user-agent']}</p><ul id=u></ul><script>onmessage = ({ data }) => { u.textContent += data }</script><iframe src="${other(request)}/inner"></iframe><img src=/seen.png>`,
      )(request, response),
    '/worker.js': (request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(`const hear = (port) => port.postMessage('worker ' + navigator.userAgent + ${JSON.stringify(request.headers['user-agent'])});
        if (self.postMessage) hear(self); onconnect = ({ ports: [port] }) => hear(port); onmessage = ({ source }) => source?.postMessage('worker ' + navigator.userAgent)`),
    '/workers':
      html(`<ul id=u></ul><script>const heard = []; const hear = (kind) => ({ data }) => { heard.push(kind + data); if (heard.length === 3) { u.textContent = heard.sort().join(); u.id = 'done' } };
      new Worker('/worker.js').onmessage = hear('own '); new SharedWorker('/worker.js').port.onmessage = hear('shared ');
      navigator.serviceWorker.onmessage = hear('service ');
      navigator.serviceWorker.register('/worker.js').then(async () => { const { active } = await navigator.serviceWorker.ready; active.postMessage('a') })</script>`),
    '/drawn': html(
      '<style>body { margin: 0 } main { height: 2400px; background: linear-gradient(red, blue); font: 30px serif }</style><main>Text in serif <code>code</code> <i style="font-family: sans-serif">sans</i> <input value=in> <select><option>a</select> <progress value=.5></progress></main>',
    ),
    '/moves':
      html(`<style>@keyframes a { to { transform: translateX(100px) } } #box { width: 10px; height: 10px; animation: a 100ms forwards }</style><div id=box></div><div style="height: 3000px"></div><p id=low>low</p><script>
      let frames = 0; const next = () => { if (++frames < 5) requestAnimationFrame(next) }; requestAnimationFrame(next);
      let seen = 0; new IntersectionObserver((all) => { for (const one of all) if (one.isIntersecting) seen++ }).observe(low);
      let sized = 0; new ResizeObserver(() => { sized++ }).observe(box);
      box.onanimationend = () => { low.scrollIntoView(); requestAnimationFrame(function look() { if (seen === 0 || frames < 5) return requestAnimationFrame(look);
        document.body.insertAdjacentHTML('afterbegin', '<b id=moved>seen ' + seen + ' sized ' + sized + ' at ' + scrollY + ' ' + getComputedStyle(box).transform + '</b>') }) }</script>`),
  });
}
