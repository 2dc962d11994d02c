/**
 * Measures how long the verdict on a page takes: microseconds for a page and nanoseconds for a kilobyte, for ordinary
 * pages and for some that `assess` must read completely. Compare figures of one run only.
 */
import { assess } from '../src/assess/assess.ts';
import { SiteTextMemory } from '../src/assess/text-comparison.ts';
import type { Page } from '../src/domain/fetch-result.ts';

const PAGE_URL = 'https://shop.example/items/5';
const ROUNDS = 500;
/** Bytes assessed in each turn at least: with small pages, a shorter turn might end before a garbage collection. */
const ROUNDS_BYTES = 4 * 1024 * 1024;
const TURNS = 8;
const WARM_UP = 300;

const item = (n: number): string =>
  `<li class="item card-${n % 7}" data-id="${n}"><a href="/item/${n}?ref=list"><img src="/i/${n}.webp" alt="" width="40"></a> <b>${n * 7}.99</b> coffee and cake ${n}</li>\n`;
/** The rows of bench/lib/target.ts. */
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
  // They have too little text to be content at first sight: read completely, and compared with other texts of the site.
  ['small, 1 KB', page(1024, shelf('coffee and cake'))],
  ['small, 1 KB, not ASCII', page(1024, shelf('café – “naïve”'))],
  ['list, 30 KB', page(30 * 1024, item)],
  ['list, 200 KB', page(200 * 1024, item)],
  ['long class names, 30 KB', page(30 * 1024, classes)],
  ['40 KB of style and script before, 70 KB', page(70 * 1024, item, STYLE)],
  ['empty application, 45 KB: read completely', Buffer.from(SHELL)],
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

const pageWith = (body: Uint8Array): Page => ({
  statusCode: 200,
  headers: HEADERS,
  finalUrl: PAGE_URL,
  method: 'GET',
  body,
  cut: null,
  undecoded: false,
  cookies: [],
});

export async function assessing(): Promise<void> {
  const pages = PAGES.map(([name, body]) => ({ name, size: body.length, page: pageWith(body) }));
  const context = { url: PAGE_URL, scripted: false, at: 0, texts: new SiteTextMemory() };
  for (let n = 0; n < WARM_UP; n++) for (const { page } of pages) assess(page, context);
  for (const { name, size, page } of pages) {
    let kind = '';
    const rounds = Math.max(ROUNDS, Math.ceil(ROUNDS_BYTES / size));
    let nsPerPage = Number.POSITIVE_INFINITY;
    // The fastest of several turns, in processor time, because other programs disturb the measurement.
    for (let turn = 0; turn < TURNS; turn++) {
      const began = process.cpuUsage();
      for (let n = 0; n < rounds; n++) kind = assess(page, context).kind;
      const { user, system } = process.cpuUsage(began);
      nsPerPage = Math.min(nsPerPage, ((user + system) * 1000) / rounds);
    }
    const nsPerKb = Math.round(nsPerPage / (size / 1024));
    console.log(
      `${name.padEnd(44)} ${kind.padEnd(9)} ${(nsPerPage / 1000).toFixed(1).padStart(8)} µs ${String(nsPerKb).padStart(6)} ns/KB`,
    );
  }
}
