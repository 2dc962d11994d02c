import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FAILURES, type FailureCode } from '../../src/domain/failure.ts';
import type { MissingCapability, VerdictKind } from '../../src/domain/verdict.ts';
import {
  BANNED,
  BLOCK,
  CAPTCHA,
  CHALLENGE,
  lastingObservation,
  NET,
  OK,
  observationOf,
  SHELL,
  WALL,
} from '../../src/router/observations.ts';

const failed = (code: FailureCode) => ({
  code,
  verdict: 'net' as const,
  missing: null,
  satisfied: false,
  unmet: false,
});
const page = (verdict: VerdictKind, missed: MissingCapability | null = null, over: object = {}) => ({
  ...{ code: null, verdict, missing: missed, satisfied: verdict === 'ok', unmet: false },
  ...over,
});

/** Targets do so which do not like who calls. Of everything else that fails nothing is learned. */
const TAUGHT: ReadonlySet<string> = new Set([
  'connect.reset',
  'http.protocol',
  'redirect.too_many',
  'redirect.invalid',
]);
const OF_TARGETS: ReadonlySet<string> = new Set(['target']);

describe('what is remembered of an attempt that failed', () => {
  for (const [code, { source }] of Object.entries(FAILURES))
    test(`${code} (${source}) → ${TAUGHT.has(code) ? 'no page for this route' : 'nothing'}`, () => {
      const lesson = lastingObservation(failed(code as FailureCode));
      assert.equal(lesson, TAUGHT.has(code) ? NET : null);
      assert.ok(lesson === null || OF_TARGETS.has(source), 'only what the target did');
    });

  test('time that was used up counts for the rest of the request alone', () => {
    assert.equal(observationOf(failed('timeout.attempt')), NET);
    assert.equal(lastingObservation(failed('timeout.attempt')), null);
  });
});

const pages: [string, ReturnType<typeof page>, number | null][] = [
  ['content', page('ok'), OK],
  ['a shell', page('js_shell', 'js'), SHELL],
  ['nothing', page('empty'), SHELL],
  ['a challenge', page('challenge', 'js'), CHALLENGE],
  ['a puzzle', page('captcha', 'fingerprint'), CAPTCHA],
  ['a refusal', page('block'), BLOCK],
  ['a refusal of the address', page('block', 'ip'), BANNED],
  ['a puzzle for the address', page('captcha', 'ip'), BANNED],
  ['a wall', page('wall', 'wall'), WALL],
  ['a page of an error', page('error_page'), NET],
  ['too often', page('rate', 'rate'), null],
  ['content that is not whole', page('ok', null, { satisfied: false }), NET],
  ['content that the caller does not accept', page('ok', null, { satisfied: false, unmet: true }), null],
];
describe('what is remembered of a page', () => {
  for (const [name, shown, observation] of pages)
    test(name, () => assert.equal(lastingObservation(shown), observation));
});
