import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERDICT_KINDS } from '../../src/domain/verdict.ts';
import fc from '../helpers/fast-check.ts';
import { verdictOf } from './a-page.ts';

const RUNS = process.env.LONG === '1' ? 5_000 : 300;
const PIECES = [
  '<',
  '>',
  '</',
  '<!--',
  '-->',
  '--!>',
  '<!-->',
  '<svg a=/>',
  '"',
  "='",
  '<script>',
  '</script',
  '<div id="root">',
  '</div>',
  '<title>',
  '<noscript>',
  '<style',
  '<a href=',
  '&nbsp;',
  'access denied',
  'Reference #1.',
  '_Incapsula_Resource?',
  '\0',
  ' ',
  'é',
];

test('any bytes have a verdict', () => {
  const soup = fc
    .array(fc.constantFrom(...PIECES), { maxLength: 60 })
    .map((pieces) => Buffer.from(pieces.join('')));
  const body = fc.oneof(soup, fc.uint8Array({ maxLength: 400 }).map(Buffer.from));
  const status = fc.constantFrom(200, 202, 204, 301, 401, 403, 404, 429, 451, 500, 503, 999);
  const type = fc.constantFrom(
    'text/html',
    '',
    'text/plain',
    'application/json',
    'text/html; charset=utf-16',
    'a',
  );
  fc.assert(
    fc.property(body, status, type, fc.boolean(), (bytes, code, mime, scripted) => {
      const { kind, confidence, signals } = verdictOf({ body: bytes, status: code, type: mime, scripted });
      assert.ok(VERDICT_KINDS.includes(kind));
      assert.ok(confidence > 0 && confidence <= 1);
      assert.ok(signals.length > 0);
      if (code === 404) assert.ok(kind === 'ok' || (kind === 'js_shell' && !scripted), kind);
    }),
    { numRuns: RUNS },
  );
});

test('no page makes the look at it take more than its length', () => {
  for (const piece of PIECES.concat(
    '<div id="root"> ',
    '<iframe ',
    '<script>a',
    'dd={"t":"bv"',
    '<!-- x --!>',
    `<!-- ${'x'.repeat(300)} --!>`,
    `-- ${'x'.repeat(300)}`,
    '<title>Access Denied ',
  )) {
    const many = verdictOf({ body: piece.repeat(Math.ceil((400 * 1024) / piece.length)) });
    assert.ok(VERDICT_KINDS.includes(many.kind), piece);
  }
});
