import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CdpConnection } from '../../../src/browser/engine/cdp-connection.ts';
import type { PipeTransport } from '../../../src/browser/engine/pipe-transport.ts';

test('a listener that throws ends its own session, or the browser, and nothing else', async () => {
  let closed = 0;
  const transport: PipeTransport = { send() {}, close: () => void closed++ };
  const { browser, session } = (() => {
    const connection = new CdpConnection(transport);
    return { browser: connection.browserSession, session: connection.session.bind(connection) };
  })();
  const tell = (method: string, sessionId?: string) =>
    transport.onmessage!({ method, params: {}, sessionId });
  const [one, other] = [session('one'), session('other')];
  let heard = 0;
  one.on('Page.loadEventFired', () => {
    throw new RangeError('too many');
  });
  other.on('Page.loadEventFired', () => void heard++);
  const asked = one.send('Page.enable');
  tell('Page.loadEventFired', 'one');
  await assert.rejects(asked, /too many/);
  await assert.rejects(one.send('Page.enable'), /too many/);
  tell('Page.loadEventFired', 'other');
  assert.deepEqual([heard, closed], [1, 0]);
  browser.on('Target.targetCreated', () => {
    throw new Error('a bug');
  });
  tell('Target.targetCreated');
  assert.equal(closed, 1);
});
