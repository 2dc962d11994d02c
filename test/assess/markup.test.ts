import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspectPage } from '../../src/assess/page-facts.ts';
import type { MimeType } from '../../src/content/charset/mime-type.ts';
import { prose, verdictOf } from './a-page.ts';

const HTML = 'text/html; charset=utf-8';
const XHTML = 'application/xhtml+xml; charset=utf-8';
const mime = (essence: string): MimeType => ({ essence, kind: 'html', charsetLabel: 'utf-8' });
const textOf = (html: string, essence = 'text/html'): string =>
  inspectPage(Buffer.from(html), mime(essence), { cut: false }).text;

/** Both ways of looking at a page: a long one is known by its first letters, a short one is looked at closely. */
function verdicts(before: string, type = HTML): readonly string[] {
  return [2400, 200].map((length) => {
    const body = `<!doctype html><html><body>${before}<p>${prose(length)}</p><script>a()</script></body></html>`;
    return verdictOf({ body, type }).signals.join();
  });
}

const SHOWN = ['text', 'no-signal'];

describe('comments', () => {
  for (const comment of [
    '<!-->',
    '<!--->',
    '<!---->',
    '<!-- x --!>',
    '<!--x--->',
    '<!----!>',
    '<!-- - -- > -->',
  ])
    test(`${comment} ends where it is closed`, () => {
      assert.deepEqual(verdicts(comment), SHOWN);
      assert.equal(textOf(`a ${comment}b`), 'a b');
    });

  test('what only looks like an end is none', () => {
    for (const inside of [' >', '-!>', ' ->', ' --! >', ` -- ${'-'.repeat(500)} `, '!>'])
      assert.equal(textOf(`a <!--${inside}b-->c`), 'a c', inside);
  });

  test('one that is not closed reaches to the end', () => {
    for (const open of ['<!--', '<!-- x', '<!-- x -', '<!-- x --', '<!-- x --!', '<!-', '<!---'])
      assert.equal(textOf(`a ${open}`), 'a', open);
    assert.equal(textOf('a <!-- b <p>c</p>'), 'a');
  });
});

describe('tags that close themselves', () => {
  for (const tag of [
    '<svg/>',
    '<svg class="a"/>',
    '<SVG viewBox="0 0 1 1" />',
    '<math/>',
    '<svg focusable />',
  ])
    test(`${tag} has no inside`, () => assert.deepEqual(verdicts(tag), SHOWN));

  test('a slash in a value closes nothing', () => {
    for (const tag of ['<svg a=b/>', '<svg a=/>', '<svg a= b/>', '<svg a= />', '<svg a=/b/c/>'])
      assert.equal(textOf(`a ${tag}b</svg>c`), 'a c', tag);
  });

  test('in HTML a script does not', () => {
    for (const tag of ['script', 'title', 'style', 'textarea', 'iframe'])
      assert.equal(textOf(`a <${tag}/>b</${tag}>c`), 'a c', tag);
  });

  test('in XHTML each does', () => {
    for (const tag of ['<script src="a.js"/>', '<title/>', '<style />', "<iframe src='x'/>", '<svg/>']) {
      assert.deepEqual(verdicts(tag, XHTML), SHOWN, tag);
      assert.equal(textOf(`a ${tag}b`, 'application/xhtml+xml'), 'a b', tag);
    }
  });

  test('is still counted for what it is', () => {
    const html = '<title/><script src="a.js"/><textarea/><svg/><title>T</title>';
    const { title, scripts, fields, media } = inspectPage(Buffer.from(html), mime('application/xhtml+xml'), {
      cut: false,
    });
    assert.deepEqual({ title, scripts, fields, media }, { title: 'T', scripts: 1, fields: 1, media: 1 });
  });

  test('in XHTML a mount that closes itself is empty', () => {
    const mount = (essence: string) =>
      inspectPage(Buffer.from('<div id="root"/><p>x</p>'), mime(essence), { cut: false }).mount;
    assert.equal(mount('application/xhtml+xml'), 'empty');
    assert.equal(mount('text/html'), 'filled');
  });
});

describe('a script that redirects, in a long page', () => {
  const redirect = '<script>location.href = "/elsewhere"</script>';
  const page = (before: number, after: number) =>
    `<!doctype html><html><body><p>${prose(2400)}</p><!--${'-'.repeat(before)}-->${redirect}<p>${prose(after)}</p></body></html>`;

  test('is found wherever it stands', () => {
    for (let before = 58_000; before < 70_000; before += 500)
      assert.equal(
        verdictOf({ body: page(before, 0), type: HTML }).signals.includes('text'),
        false,
        `${before}`,
      );
    for (const before of [120_000, 190_000, 380_000])
      assert.equal(
        verdictOf({ body: page(before, 9000), type: HTML }).signals.includes('text'),
        false,
        `${before}`,
      );
  });

  test('text that begins behind the first 64 KB is content as well', () => {
    const body = `<!doctype html><html><body><style>${'a{}'.repeat(30_000)}</style><p>${prose(2400)}</p></body></html>`;
    assert.deepEqual(verdictOf({ body, type: HTML }).signals, ['text']);
  });
});
