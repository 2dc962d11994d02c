/**
 * What judging a page costs: nanoseconds a page and a kilobyte, of pages as they are served and of some that need a
 * closer look. Figures of one process; compare them within one run.
 */
import { assess } from '../src/assess/assess.ts';
import { SiteTextMemory } from '../src/assess/text-comparison.ts';
import type { Page } from '../src/domain/fetch-result.ts';

const URL_ASKED = 'https://shop.example/items/5';
const ROUNDS = 500;
/** A turn of a small page lasts longer, so that memory is swept in each. */
const ROUNDS_BYTES = 4 * 1024 * 1024;
const TURNS = 8;
const WARM_UP = 300;

const item = (n: number): string =>
  `<li class="item card-${n % 7}" data-id="${n}"><a href="/item/${n}?ref=list"><img src="/i/${n}.webp" alt="" width="40"></a> <b>${n * 7}.99</b> coffee and cake ${n}</li>\n`;
/** As the target of the benchmarks of throughput makes them. */
const shelf = (name: string) => (n: number) =>
  `<li class="item" data-id="${n}"><a href="/item/${n}?ref=list">${name} ${n}</a> <b>${n * 7}.99</b></li>\n`;
const classes = (n: number): string =>
  `<div class="flex items-center justify-between px-4 py-2 text-sm font-medium rounded-lg hover:bg-gray-${n % 9}00 focus:ring-2"><span class="truncate text-gray-500 dark:text-gray-400">Row ${n}</span></div>\n`;

function page(bytes: number, row: (n: number) => string, head = ''): Uint8Array {
  let html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shelf</title>${head}</head><body>`;
  for (let n = 1; html.length < bytes; n++) html += row(n);
  return Buffer.from(html.slice(0, bytes));
}

const STYLE = `<style>${'.a-b{color:#123;margin:0 auto}'.repeat(1_000)}</style><script>${'var a=function(b){return b<c};'.repeat(500)}</script>`;
const SHELL = `<!doctype html><html><head><title>App</title>${STYLE}</head><body><div id="root"></div><script src="/a.js"></script></body></html>`;

const PAGES: readonly (readonly [name: string, body: Uint8Array])[] = [
  // They say too little to be told at once: looked at closely, and compared with other texts of the site.
  ['small, 1 KB', page(1024, shelf('coffee and cake'))],
  ['small, 1 KB, not ASCII', page(1024, shelf('café – “naïve”'))],
  ['list, 30 KB', page(30 * 1024, item)],
  ['list, 200 KB', page(200 * 1024, item)],
  ['long class names, 30 KB', page(30 * 1024, classes)],
  ['40 KB of style and script before, 70 KB', page(70 * 1024, item, STYLE)],
  ['a shell, 45 KB: looked at closely', Buffer.from(SHELL)],
];
const HEADERS: Page['headers'] = [
  ['date', 'Sun, 02 Nov 2025 10:00:00 GMT'],
  ['content-type', 'text/html; charset=utf-8'],
  ['connection', 'keep-alive'],
  ['vary', 'accept-encoding'],
  ['cache-control', 'max-age=60'],
  ['server', 'shelf'],
  ['cf-ray', '8f00aa11bb22cc33-FRA'],
  ['x-frame-options', 'DENY'],
];

const answer = (body: Uint8Array): Page => ({
  statusCode: 200,
  headers: HEADERS,
  finalUrl: URL_ASKED,
  method: 'GET',
  body,
  cut: null,
  undecoded: false,
  cookies: [],
});

export async function assessing(): Promise<void> {
  const pages = PAGES.map(([name, body]) => ({ name, size: body.length, page: answer(body) }));
  const ask = { url: URL_ASKED, scripted: false, at: 0, texts: new SiteTextMemory() };
  for (let n = 0; n < WARM_UP; n++) for (const one of pages) assess(one.page, ask);
  for (const { name, size, page: one } of pages) {
    let kind = '';
    const rounds = Math.max(ROUNDS, Math.ceil(ROUNDS_BYTES / size));
    let each = Number.POSITIVE_INFINITY;
    // The quietest of several turns, in time of the processor: others may be at work on the machine.
    for (let turn = 0; turn < TURNS; turn++) {
      const began = process.cpuUsage();
      for (let n = 0; n < rounds; n++) kind = assess(one, ask).kind;
      const { user, system } = process.cpuUsage(began);
      each = Math.min(each, ((user + system) * 1000) / rounds);
    }
    const perKb = Math.round(each / (size / 1024));
    console.log(
      `${name.padEnd(44)} ${kind.padEnd(9)} ${(each / 1000).toFixed(1).padStart(8)} µs ${String(perKb).padStart(6)} ns/KB`,
    );
  }
}
