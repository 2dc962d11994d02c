import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CdpSession } from '../../../src/browser/engine/cdp-session.ts';
import { SetCookieLog } from '../../../src/browser/page/cookies.ts';

/** A page's network, as the protocol tells of it. */
function network() {
  const listeners = new Map<string, (params: object) => void>();
  const set = new SetCookieLog();
  const session = {
    on: (event: string, listener: (params: object) => void) => listeners.set(event, listener),
  };
  set.listen(session as unknown as CdpSession);
  return {
    set,
    asks: (requestId: string) =>
      listeners.get('Network.requestWillBeSent')!({ requestId, request: { url: 'http://a.test/x/y' } }),
    answers: (requestId: string, lines: readonly string[]) =>
      listeners.get('Network.responseReceivedExtraInfo')!({
        requestId,
        headers: { 'set-cookie': lines.join('\n') },
      }),
  };
}

test('answers with more cookies than a call can have arguments are read as far as a browser keeps them', () => {
  const { set, asks, answers } = network();
  const lines = Array.from({ length: 16_000 }, (_, n) => `c${n}=1`);
  for (let n = 0; n < 20; n++) {
    asks('first');
    answers('first', lines);
  }
  for (let n = 0; n < 2_100; n++) asks(`later ${n}`);
  asks('last');
  answers('last', ['sid=1; Path=/']);
  const all = set.all;
  assert.deepEqual(all.at(-1), { name: 'sid', domain: 'a.test', path: '/' });
  assert.deepEqual(all[0], { name: 'c0', domain: 'a.test', path: '/x' });
  assert.equal(all.length, 20 * 400 + 1);
});
