/**
 * Serves the pages of the browser benchmark, as a separate process; prints its port. `/counts` has the number of requests
 * for each path. Sub-resources may be cached for an hour, so a cache shared between pages shows in these counts.
 *
 * - `/static`: 30 KB of HTML and nothing else
 * - `/resources`: loads 3 style sheets, 5 scripts and 12 pictures
 * - `/rendered`: an empty page, a program and its data; the program makes 300 cards of them before `load`
 */
import { createServer } from 'node:http';
import { crc32, deflateSync } from 'node:zlib';

const CARDS = 300;
const HTML = 'text/html; charset=utf-8';
const JS = 'text/javascript; charset=utf-8';
const responses = new Map<string, { readonly type: string; readonly body: Buffer }>();
const counts: Record<string, number> = {};

const document = (head: string, body: string) =>
  `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Shelf</title>${head}</head>\n<body>\n${body}</body>\n</html>\n`;
const add = (path: string, type: string, text: string | Buffer) =>
  responses.set(path, { type, body: Buffer.from(text) });
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

const line = (n: number) =>
  `<li class="item" data-id="${n}"><a href="/item/${n}?ref=list">coffee and cake ${n}</a> <b>${n * 7}.99</b></li>\n`;
add('/static', HTML, document('', `<ul>\n${times(330, line).join('')}</ul>\n<p id="end">end</p>\n`));

const styles = times(3, (n) => {
  add(
    `/r/${n}.css`,
    'text/css',
    times(60, (m) => `.s${n}-${m}, .card.k${m} { color: #${n}${n}${m % 10}; padding: ${m}px }\n`).join(''),
  );
  return `<link rel="stylesheet" href="/r/${n}.css">`;
});
const scripts = times(5, (n) => {
  const filler = times(80, (m) => `function part${n}_${m}(a, b) { return a * ${m} + b % ${m + 1}; }\n`).join(
    '',
  );
  add(
    `/r/${n}.js`,
    JS,
    `${filler}document.body.append(Object.assign(document.createElement('p'), { className: 'by-script', textContent: part${n}_7(2, 3) }));\n`,
  );
  return `<script src="/r/${n}.js"></script>`;
});
const pictures = times(12, (n) => {
  add(`/r/${n}.png`, 'image/png', picture(64, n));
  return `<img src="/r/${n}.png" alt="cake ${n}" width="64" height="64">\n`;
});
add(
  '/resources',
  HTML,
  document(styles.join(''), `<ul>${times(60, line).join('')}</ul>\n${pictures.join('')}${scripts.join('')}`),
);

add(
  '/data.js',
  JS,
  `window.SHELF = ${JSON.stringify(times(CARDS, (id) => ({ id, name: `Cake ${(id * 7919) % 1000}`, price: (id * 37) % 100, tags: times(4, (t) => `tag${(id * t) % 17}`), text: 'flour, butter, sugar and eggs; '.repeat(3) })))};`,
);
add(
  '/app.js',
  JS,
  `
  const element = (name, className, ...inside) => { const made = document.createElement(name); made.className = className; made.append(...inside); return made; };
  const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });
  const list = document.querySelector('#app');
  for (const item of [...SHELF].sort((a, b) => a.price - b.price || a.name.localeCompare(b.name)))
    list.append(element('article', 'card k' + item.id % 9, element('h2', 'name', item.name), element('b', 'price', money.format(item.price)),
      element('p', 'text', item.text), element('ul', 'tags', ...[...new Set(item.tags)].map((tag) => element('li', 'tag', tag)))));
  list.dataset.height = String(list.offsetHeight > 0);
  list.dataset.cards = String(list.children.length);
`,
);
add(
  '/rendered',
  HTML,
  document(
    '<link rel="stylesheet" href="/r/0.css">',
    '<main id="app"></main><script src="/data.js"></script><script src="/app.js"></script>',
  ),
);

/** A square PNG that compresses about as badly as a photograph. @param side in pixels */
function picture(side: number, seed: number): Buffer {
  const rows = times(side, (y) => [
    0,
    ...times(side * 3, (x) => (x * y * (seed + 3) + x * 31 + y * 17) & 0xff),
  ]);
  const chunk = (type: string, data: Buffer) => {
    const out = Buffer.alloc(data.length + 12);
    out.writeUInt32BE(data.length, 0);
    out.write(type, 4, 'latin1');
    data.copy(out, 8);
    out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.from(rows.flat()));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

const server = createServer((request, response) => {
  const path = request.url ?? '/';
  if (path === '/counts') return void response.end(JSON.stringify(counts));
  counts[path] = (counts[path] ?? 0) + 1;
  const prepared = responses.get(path);
  if (prepared === undefined) return void response.writeHead(404, { 'content-length': '0' }).end();
  const caching = prepared.type === HTML ? 'no-store' : 'public, max-age=3600';
  response.writeHead(200, {
    'content-type': prepared.type,
    'content-length': prepared.body.length,
    'cache-control': caching,
  });
  response.end(prepared.body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as { port: number }).port}`));
process.once('SIGTERM', () => process.exit(0));
