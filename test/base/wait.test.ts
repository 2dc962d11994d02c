import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, it } from 'node:test';
import { orAborted, orTimeout, sleep, waitForCallback } from '../../src/base/wait.ts';

const LONG_MS = 60_000;
const never = new Promise<never>(() => {});
const WHY = new Error('why');
const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

function abortSoon(): AbortSignal {
  const controller = new AbortController();
  setImmediate(() => controller.abort(WHY));
  return controller.signal;
}

describe('sleep', () => {
  it('settles with true when the time is over', async () => {
    const { signal } = new AbortController();
    assert.equal(await sleep(1), true);
    assert.equal(await sleep(1, signal), true);
    assert.equal(listeners(signal), 0);
  });

  it('settles with false when the signal aborts, before it or meanwhile', async () => {
    assert.equal(await sleep(LONG_MS, AbortSignal.abort()), false);
    const signal = abortSoon();
    assert.equal(await sleep(LONG_MS, signal), false);
    assert.equal(listeners(signal), 0);
  });
});

describe('orTimeout', () => {
  it('settles as the work does when that is in time', async () => {
    assert.equal(await orTimeout(Promise.resolve(1), LONG_MS, null), 1);
    await assert.rejects(orTimeout(Promise.reject(WHY), LONG_MS, null), WHY);
  });

  it('settles with the other value when it is not, and does not mind what becomes of the work', async () => {
    const { promise, reject } = Promise.withResolvers<number>();
    assert.equal(await orTimeout(promise, 1, 'late'), 'late');
    reject(WHY);
    await sleep(1);
  });
});

describe('orAborted', () => {
  it('settles as the work does when the signal does not abort', async () => {
    const { signal } = new AbortController();
    assert.equal(await orAborted(Promise.resolve(1), signal), 1);
    await assert.rejects(orAborted(Promise.reject(WHY), signal), WHY);
    await sleep(1);
    assert.equal(listeners(signal), 0);
  });

  it('rejects with the reason of the signal', async () => {
    await assert.rejects(orAborted(Promise.resolve(1), AbortSignal.abort(WHY)), WHY);
    await assert.rejects(orAborted(never, abortSoon()), WHY);
  });

  it('gives the value for that where there is one, and does not mind what becomes of the work', async () => {
    const { promise, reject } = Promise.withResolvers<number>();
    assert.equal(await orAborted(promise, abortSoon(), () => 'aborted'), 'aborted');
    assert.equal(await orAborted(promise, AbortSignal.abort(), () => 'aborted'), 'aborted');
    reject(WHY);
    await sleep(1);
  });
});

describe('waitForCallback', () => {
  const queue = new Set<(value: string) => void>();
  const wait = (signal: AbortSignal) =>
    waitForCallback<string>(
      signal,
      (settle) => {
        queue.add(settle);
        return () => queue.delete(settle);
      },
      () => `aborted with ${queue.size} in the queue`,
    );

  it('settles with what it is called with, and has left the queue then', async () => {
    const { signal } = new AbortController();
    const waiting = wait(signal);
    for (const settle of queue) settle('called');
    assert.equal(queue.size, 0);
    assert.equal(listeners(signal), 0);
    assert.equal(await waiting, 'called');
  });

  it('leaves the queue in the moment in which the signal aborts', async () => {
    const controller = new AbortController();
    const waiting = wait(controller.signal);
    assert.equal(queue.size, 1);
    controller.abort();
    assert.equal(queue.size, 0);
    assert.equal(await waiting, 'aborted with 0 in the queue');
    assert.equal(await wait(controller.signal), 'aborted with 0 in the queue');
  });
});
