import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PipeTransport } from '../../../src/browser/engine/pipe-transport.ts';
import { withOwnContexts } from '../../../src/browser/engine/web-socket-transport.ts';

function openTransport() {
  const sent: { readonly id: number; readonly method: string; readonly sessionId?: string }[] = [];
  const seen: object[] = [];
  let closed = false;
  const inner: PipeTransport = {
    send(message) {
      if (closed) throw new Error('the browser is gone');
      sent.push(message as (typeof sent)[number]);
    },
    close() {
      closed = true;
    },
  };
  const outer = withOwnContexts(inner);
  outer.onmessage = (message) => void seen.push(message);
  const attached = (sessionId: string, type: string, browserContextId?: string) => ({
    method: 'Target.attachedToTarget',
    params: { sessionId, targetInfo: { type, browserContextId } },
  });
  return { inner, outer, sent, seen, attached, receive: (message: object) => inner.onmessage!(message) };
}

test('targets of others are let go and hidden, with everything of their sessions', () => {
  const { outer, sent, seen, attached, receive } = openTransport();
  outer.send({ id: 1, method: 'Target.createBrowserContext' });
  receive({ id: 1, result: { browserContextId: 'mine' } });
  const shown = [attached('s1', 'page', 'mine'), attached('s2', 'browser')];
  const hidden = [attached('s3', 'page', 'theirs'), attached('s4', 'page')];
  for (const message of [...shown, ...hidden]) receive(message);
  receive({ method: 'Page.loadEventFired', sessionId: 's3' });
  receive({ method: 'Page.loadEventFired', sessionId: 's1' });
  const own = sent.slice(1);
  assert.deepEqual(
    own.map(({ method, sessionId }) => [method, sessionId]),
    ['s3', 's4'].flatMap((id) => [
      ['Runtime.runIfWaitingForDebugger', id],
      ['Target.detachFromTarget', undefined],
    ]),
  );
  for (const { id } of own) receive({ id, result: {} });
  receive({ method: 'Target.detachedFromTarget', params: { sessionId: 's3' } });
  receive({ method: 'Target.detachedFromTarget', params: { sessionId: 's1' } });
  assert.deepEqual(seen.slice(1), [
    ...shown,
    { method: 'Page.loadEventFired', sessionId: 's1' },
    { method: 'Target.detachedFromTarget', params: { sessionId: 's1' } },
  ]);
});

test('a target that is reported while the connection is being closed is no error', () => {
  const { inner, seen, attached, receive } = openTransport();
  inner.close();
  receive(attached('s1', 'page', 'theirs'));
  assert.deepEqual(seen, []);
});
