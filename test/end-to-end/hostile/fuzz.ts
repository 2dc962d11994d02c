import fc from '../../helpers/fast-check.ts';
import { type Kind, PAGE_OR_CRASH, page } from './kind.ts';

/** Statements of scripts. Random combinations of them find problems that single ones do not have. */
const DEEDS = [
  "alert('a')",
  "window.open('/other')",
  "location.hash = '#' + Math.random()",
  'history.pushState(null, "", "?" + Math.random())',
  'history.back()',
  'location.reload()',
  "location = '/other'",
  "location = '/file'",
  "location = 'javascript:1'",
  "location = 'about:blank#x'",
  'new Worker(URL.createObjectURL(new Blob(["for (;;);"])))',
  'for (const end = Date.now() + 700; Date.now() < end; );',
  "document.body.append('x'.repeat(1e5))",
  "document.body.append(Object.assign(document.createElement('iframe'), { src: '/other' }))",
  "document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: '<script>for (;;);</scr' + 'ipt>' }))",
  "fetch('/never')",
  'new WebSocket(location.href.replace("http", "ws"))',
  "navigator.sendBeacon('/other', 'x')",
  'window.stop()',
  'print()',
  'document.documentElement.requestFullscreen().catch(() => {})',
  'throw new Error("x")',
  'Promise.reject(new Error("x"))',
  'postMessage(1, "*")',
  'Object.defineProperty(document, "documentElement", { get() { throw 1 } })',
  'JSON.stringify = () => { throw 1 }',
  'Array.prototype.push = Object.prototype.toString = null',
  'document.cookie = "a".repeat(5000)',
];
const WHEN = [
  (deed: string) => deed,
  (deed: string) => `setTimeout(() => { ${deed} }, 0)`,
  (deed: string) => `setInterval(() => { ${deed} }, 20)`,
  (deed: string) => `addEventListener('load', () => { ${deed} })`,
  (deed: string) => `addEventListener('beforeunload', (event) => { event.preventDefault(); ${deed} })`,
  (deed: string) =>
    `new MutationObserver(() => { ${deed} }).observe(document, { childList: true, subtree: true })`,
];

const deed = fc
  .tuple(fc.constantFrom(...WHEN), fc.constantFrom(...DEEDS))
  .map(([when, what]) => `<script>${when(what)}</script>`);
const tag = fc
  .tuple(
    fc.constantFrom('div', 'table', 'svg', 'template', 'select', 'math', 'form', 'noscript', 'dialog open'),
    fc.string({ unit: 'binary', maxLength: 30 }),
  )
  .map(([name, text]) => `<${name}>${text.replaceAll('<', '&lt;')}`);

/** Pages with a few of these statements in sequence; the same pages for the same seed. */
export function fuzzPages(count: number, seed: number): readonly Kind[] {
  const pages = fc.array(fc.oneof(deed, tag), { minLength: 2, maxLength: 8 });
  return fc.sample(pages, { numRuns: count, seed }).map((parts, n) => ({
    name: `generated ${String.fromCodePoint(97 + (n % 26))}${'x'.repeat(Math.floor(n / 26))}`,
    page: page(parts.join('\n')),
    answers: [...PAGE_OR_CRASH, 'other'],
  }));
}
