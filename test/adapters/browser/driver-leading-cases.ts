import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DriverCase, has } from './driver-cases.ts';
import { html, type Routes } from './target.ts';

const to = (where: string) =>
  html(
    `<p>first<script>addEventListener('load', () => setTimeout(() => location.assign('${where}'), 300))</script>`,
  );
const after = (name: string, path: string, text: string): DriverCase => ({
  name: `a page that leads on long after it is loaded, ${name}`,
  path,
  // No selector: waiting for one, Playwright gives a page what only a person's click gives (`sec-fetch-user`).
  change: { timeoutMs: 20_000, browser: { waitForTimeoutMs: 2_500 } },
  check: has(text),
});

/** What is told of a document that comes when all of the one before is there. */
export const LEADING_CASES: readonly DriverCase[] = [
  after('to a page', '/on-to-page', 'arrived'),
  after('to a redirect', '/on-to-redirect', 'arrived'),
  after('to an error', '/on-to-error', 'no such thing'),
  after('to JSON', '/on-to-json', '"arrived"'),
  after('to bytes', '/on-to-bytes', 'arrived as bytes'),
  after('to what breaks off', '/on-to-broken', 'arrived'),
  after('twice', '/on-to-leading', 'arrived'),
  after('to what its worker makes', '/on-to-made', 'made by a worker'),
];

const send = (status: number, type: string, body: string) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': type, 'set-cookie': 'led=on' }).end(body);

export const LEADING_ROUTES: Routes = {
  '/on-to-page': to('/arrived'),
  '/on-to-redirect': to('/to-arrived'),
  '/on-to-error': to('/arrived-nowhere'),
  '/on-to-json': to('/arrived.json'),
  '/on-to-bytes': to('/arrived.bin'),
  '/on-to-broken': to('/arrived-broken'),
  '/on-to-leading': to('/on-to-page'),
  '/on-to-made': html(`<p>first<script>
    navigator.serviceWorker.register('/maker.js').then(() => navigator.serviceWorker.ready)
      .then(({ active }) => active.state === 'activated' || new Promise((done) => { active.onstatechange = done }))
      .then(() => setTimeout(() => location.assign('/made'), 300));
  </script>`),
  '/arrived': send(200, 'text/html', '<img src=/none><p id=done>arrived'),
  '/to-arrived': (_, response) => void response.writeHead(302, { location: '/arrived' }).end(),
  '/arrived-nowhere': send(404, 'text/html', '<p id=none>no such thing'),
  '/arrived.json': send(200, 'application/json', '["arrived"]'),
  '/arrived.bin': send(200, 'application/octet-stream', 'arrived as bytes'),
  '/arrived-broken': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': 1_000 });
    response.write('<p>arrived');
    setTimeout(() => response.destroy(), 100);
  },
  '/maker.js': send(
    200,
    'text/javascript',
    `onfetch = (event) => { if (new URL(event.request.url).pathname === '/made')
      event.respondWith(new Response('<p id=made>made by a worker', { status: 203, headers: { 'content-type': 'text/html', 'x-made': 'here' } })) }`,
  ),
};
