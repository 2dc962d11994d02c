import { type Kind, later, PAGE_OR_CRASH, PAGE_OR_TIME, page, script } from './kind.ts';

/** Pages that take all memory or other resources. */
export const GREEDY: readonly Kind[] = [
  {
    name: 'eats the heap',
    page: later('const all = []; for (;;) all.push(new Array(1e4).fill(all.length))'),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'eats the heap while it is parsed',
    long: true,
    page: script('const all = []; for (;;) all.push({ a: all.length, b: [1, 2, 3] })'),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'eats memory in buffers',
    page: later('const all = []; for (;;) { const b = new Uint8Array(64e6); b.fill(1); all.push(b) }'),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'eats memory in pictures',
    page: later(
      'const all = []; setInterval(() => { const c = Object.assign(document.createElement("canvas"), { width: 8000, height: 8000 }); c.getContext("2d").fillRect(0, 0, 8000, 8000); document.body.append(c); all.push(c) }, 0)',
    ),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'text that doubles',
    long: true,
    page: script("let s = 'x'; for (;;) { s += s; document.title = s.slice(0, 1e6) }"),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'a million elements and more',
    long: true,
    page: later(
      "setInterval(() => { for (let n = 0; n < 1e5; n++) document.body.append(document.createElement('p')) }, 0)",
    ),
    answers: PAGE_OR_CRASH,
  },
  { name: 'nested a hundred thousand times', page: page('<div>'.repeat(100_000)), answers: PAGE_OR_CRASH },
  { name: 'calls itself', long: true, page: script('(function f() { f(); f() })()') },
  {
    name: 'frames in frames',
    page: page(
      '<iframe src="?a"></iframe><iframe src="?b"></iframe><script>for (const f of document.querySelectorAll("iframe")) f.src = "?" + Math.random()</script>',
    ),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'five hundred frames',
    long: true,
    page: page('<iframe src="/other"></iframe>'.repeat(500)),
    answers: PAGE_OR_TIME,
  },
  {
    name: 'workers that spin',
    page: later(`const url = URL.createObjectURL(new Blob(['for (;;);']));
      for (let n = 0; n < 8; n++) new Worker(url); for (let n = 0; n < 4; n++) new SharedWorker(url, 'w' + n)`),
  },
  {
    name: 'a service worker that spins',
    page: later("navigator.serviceWorker.register('/spin.js').then(() => {}, () => {})"),
  },
  {
    name: 'workers in workers',
    long: true,
    page: later(`const text = 'new Worker(location.href); setInterval(() => new Worker(location.href), 10)';
      new Worker(URL.createObjectURL(new Blob([text])))`),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'requests without end',
    page: later(
      "setInterval(() => { for (let n = 0; n < 100; n++) fetch('/other?' + Math.random()).catch(() => {}) }, 0)",
    ),
    answers: PAGE_OR_TIME,
  },
  {
    name: 'sockets without end',
    long: true,
    page: later(
      "setInterval(() => { for (let n = 0; n < 30; n++) new WebSocket(location.href.replace('http', 'ws')) }, 10)",
    ),
    answers: PAGE_OR_TIME,
  },
  {
    name: 'cookies without end',
    long: true,
    page: script("for (let n = 0; n < 5000; n++) document.cookie = 'c' + n + '=' + 'x'.repeat(3000)"),
  },
  {
    name: 'storage without end',
    long: true,
    page: script("try { for (let n = 0; ; n++) localStorage['k' + n] = 'x'.repeat(1e6) } catch {}"),
  },
  {
    name: 'a title of ten megabytes',
    long: true,
    page: script("document.title = 'x'.repeat(1e7)"),
    answers: ['page'],
  },
  {
    name: 'a hundred thousand pixels, all of them in a picture',
    page: page('<div style="height: 100000px; background: linear-gradient(red, blue)"></div>'),
    ask: { screenshot: true, scraper_options: { screenshot: { full_page: true } } },
  },
  {
    name: 'values of styles that double',
    long: true,
    page: page(
      `<style>:root { --a0: x x x x x x x x; ${Array.from({ length: 40 }, (_, n) => `--a${n + 1}: var(--a${n}) var(--a${n})`).join('; ')} } p::before { content: var(--a40); font-family: var(--a40) }</style><p>x`,
    ),
  },
  {
    name: 'filters on filters',
    long: true,
    page: page(
      `<style>@keyframes k { to { filter: blur(90px); transform: rotate(1turn) } } i { display: block; width: 3000px; height: 3000px; position: absolute; backdrop-filter: blur(50px); animation: k 1s infinite }</style>${'<i></i>'.repeat(300)}`,
    ),
    ask: { screenshot: true },
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'drawings that use drawings',
    page: page(
      `<svg xmlns:xlink="http://www.w3.org/1999/xlink"><defs><g id="g0"><rect width="9" height="9"/></g>${Array.from({ length: 30 }, (_, n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(8)}</g>`).join('')}</defs><use href="#g30"/></svg>`,
    ),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'memory of WebAssembly',
    long: true,
    page: later(
      'const all = []; for (;;) { const m = new WebAssembly.Memory({ initial: 4096 }); new Uint8Array(m.buffer).fill(1); all.push(m) }',
    ),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'sounds and films',
    long: true,
    page: later(
      'for (let n = 0; n < 300; n++) { document.body.append(Object.assign(document.createElement("video"), { src: "/endless.bin", autoplay: true })); try { new AudioContext().createOscillator().start() } catch {} }',
    ),
    answers: PAGE_OR_CRASH,
  },
];
