import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESOURCE_TYPES } from '../../../src/domain/scraper-options.ts';
import { type DriverCase, has } from './driver-cases.ts';
import { html, type Routes } from './target.ts';

const blocking = (types: readonly string[], urls: readonly string[] = []) => ({
  // A busy machine needs many seconds for all parts of the page.
  timeoutMs: 60_000,
  browser: { waitForSelector: 'css=#done' },
  options: { block: { types, urls } },
});

/** What a page loads, under what is blocked of it: by each type alone, by patterns, by both. */
export const BLOCK_CASES: readonly DriverCase[] = [
  ...RESOURCE_TYPES.filter((type) => type !== 'document').map((type) => ({
    name: `block: ${type}`,
    path: '/loads',
    change: blocking([type]),
    check: has('parts: 3'),
  })),
  {
    name: 'block: most of it',
    path: '/loads',
    change: blocking(['image', 'font', 'media', 'stylesheet']),
    check: has('image error'),
  },
  {
    name: 'block: nothing that is there',
    path: '/loads',
    change: blocking([], ['**/none']),
    check: has('image load'),
  },
  {
    name: 'block: a pattern',
    path: '/loads',
    change: blocking([], ['**/part*.png']),
    check: has('image load'),
  },
  { name: 'block: the frames too', path: '/loads', change: blocking(['xhr'], ['**/inside*', '**/w-*']) },
  { name: 'block: what is led to is not asked for', path: '/loads', change: blocking([], ['**/led.png']) },
  {
    name: 'block: the page stays',
    path: '/loads',
    change: blocking(
      RESOURCE_TYPES.filter((type) => type !== 'document'),
      ['**'],
    ),
    check: has('parts: '),
  },
  {
    name: 'block: and a picture',
    path: '/loads',
    change: {
      browser: { waitForSelector: 'css=#done', screenshot: true },
      options: { block: { types: ['image'], urls: [] } },
    },
  },
];

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const send = (type: string, body: string | Buffer) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body);
const image = send('image/png', PNG);
const scriptOf = (text: string) => send('text/javascript', text);

/** Tells in its text, in alphabetical order, what became of each thing that it loads. */
const LOADS = (other: string) => `<!doctype html><meta charset=utf-8><ul id=list></ul><script>
const said = []; let parts = 0; let open = 0;
const say = (what) => { said.push(what); };
const wait = () => { open++; let over = false; return (what) => { if (over) return; over = true; if (what) say(what); open--; end() } };
const end = () => { if (open === 0 && parts === 3) { list.textContent = 'parts: ' + parts + ', ' + said.sort().join(', '); list.id = 'done' } };
const add = (kind, name, members) => { const one = document.createElement(name); const done = wait();
  one.onload = one.onloadedmetadata = () => done(kind + ' load'); one.onerror = () => done(kind + ' error');
  Object.assign(one, members); document.body.append(one); return one };
onmessage = ({ data }) => { parts++; say(data); end() };
addEventListener('DOMContentLoaded', () => {
  add('image', 'img', { src: '/a.png' }); add('led', 'img', { src: '/led-on' }); add('part', 'img', { src: '/part1.png' });
  add('poster', 'img', { srcset: '/set.png 1x' }); add('input', 'input', { type: 'image', src: '/in.png' });
  add('style', 'link', { rel: 'stylesheet', href: '/a.css' }); add('preload', 'link', { rel: 'preload', as: 'image', href: '/pre.png' });
  add('script', 'script', { src: '/a.js' }); add('module', 'script', { type: 'module', src: '/m.js' });
  add('object', 'object', { data: '/object.png' }); add('film', 'video', { src: '/film.mp4' });
  const font = wait(); new FontFace('f', 'url(/f.woff2)').load().then(() => font('font load'), (e) => font('font ' + e.name));
  const asked = wait(); fetch('/fetched').then((r) => r.text()).then((t) => asked('fetch ' + t), () => asked('fetch error'));
  const cross = wait(); fetch('${other}/fetched', { headers: { 'x-a': '1' } }).then((r) => r.text()).then((t) => cross('cross ' + t), () => cross('cross error'));
  const x = new XMLHttpRequest(); const xhr = wait(); x.onload = () => xhr('xhr ' + x.responseText); x.onerror = () => xhr('xhr error'); x.open('GET', '/xhr'); x.send();
  const es = new EventSource('/events'); const told = wait(); es.onmessage = ({ data }) => { es.close(); told('events ' + data) }; es.onerror = () => { es.close(); told('events error') };
  const hear = (kind, port, failing) => { const heard = wait(); port.onmessage = ({ data }) => heard(kind + data); failing.onerror = (e) => { e.preventDefault?.(); heard(kind + 'error') } };
  const own = new Worker('/loads-worker.js'); hear('worker ', own, own);
  for (const src of ['/inside', '${other}/inside']) document.body.append(Object.assign(document.createElement('iframe'), { src }));
  const registered = wait(); navigator.serviceWorker.onmessage = ({ data }) => registered('service ' + data);
  navigator.serviceWorker.register('/service.js').then(async () => { const { active } = await navigator.serviceWorker.ready; active.postMessage('a') }).catch(() => registered('service error'));
  parts++; end();
});
</script>`;

const INSIDE = `<p>inside<script>
const said = []; const done = (what) => { said.push(what); if (said.length === 3) parent.postMessage('inside ' + said.sort().join(' '), '*') };
const i = new Image(); i.onload = () => done('image load'); i.onerror = () => done('image error'); i.src = '/part2.png';
const s = document.createElement('script'); s.onload = () => done('script load'); s.onerror = () => done('script error'); s.src = '/inside.js'; document.head.append(s);
fetch('/fetched').then((r) => r.text()).then((t) => done('fetch ' + t), () => done('fetch error'));
</script>`;

export const BLOCK_ROUTES: Routes = {
  '/loads': (request: IncomingMessage, response: ServerResponse) =>
    html(LOADS(`http://localhost:${request.headers.host!.split(':')[1]}`))(request, response),
  '/inside': html(INSIDE),
  ...Object.fromEntries(
    [
      '/a.png',
      '/part1.png',
      '/part2.png',
      '/set.png',
      '/in.png',
      '/pre.png',
      '/object.png',
      '/led.png',
      '/w-a.png',
    ].map((path) => [path, image]),
  ),
  '/led-on': (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(302, { location: '/led.png' }).end(),
  '/a.css': send('text/css', 'p { color: red }'),
  ...Object.fromEntries(['/a.js', '/m.js', '/inside.js'].map((path) => [path, scriptOf('1')])),
  '/imported.js': scriptOf('self.imported = 1'),
  '/f.woff2': send('font/woff2', 'no font'),
  '/film.mp4': send('video/mp4', 'no film'),
  '/fetched': (request: IncomingMessage, response: ServerResponse) =>
    void response
      .writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'x-a' })
      .end(request.method === 'OPTIONS' ? '' : 'fetched'),
  '/xhr': send('text/plain', 'xhr'),
  '/events': send('text/event-stream', 'data: told\n\n'),
  '/loads-worker.js': scriptOf(
    "try { importScripts('/imported.js') } catch {} fetch('/w-a.png').then(() => 'load', () => 'error').then((t) => postMessage(t + self.imported))",
  ),
  '/service.js': scriptOf(
    "try { importScripts('/imported.js') } catch {} onmessage = ({ source }) => fetch('/w-a.png').then(() => 'load', () => 'error').then((t) => source.postMessage(t + self.imported))",
  ),
};
