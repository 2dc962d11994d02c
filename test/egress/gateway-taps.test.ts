import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { OpenTap, TapHandle } from '../../src/egress/gateway/gateway.ts';
import { Line, OPEN, openWorld, target, until } from './gateway-world.ts';

const get = (place: string, path = '/') => `GET http://${place}${path} HTTP/1.1\r\nHost: ${place}\r\n\r\n`;
const head = (length: number) => `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n`;

/** Keeps what it is fed; does as it is told when the first piece comes. */
function keeping(first: (handle: TapHandle) => void = () => {}) {
  const kept = { text: '', ended: null as boolean | null, handle: null as TapHandle | null };
  const open: OpenTap = (handle) => {
    kept.handle = handle;
    return {
      feed(piece) {
        if (kept.text === '') first(handle);
        kept.text += piece.toString('latin1');
      },
      end(broken) {
        kept.ended ??= broken;
      },
    };
  };
  return { kept, open };
}

test('a tap hears the one answer that it was opened for, and so does the engine', async (t) => {
  const { slot } = await openWorld(t);
  await using use = slot.begin(OPEN);
  const { port } = await target(t, (socket) => socket.on('data', () => socket.write(`${head(5)}hello`)));
  const place = `127.0.0.1:${port}`;
  const { kept, open } = keeping();
  use.tap(`http://${place}/b`, open);
  const line = new Line(slot.port).write(get(place, '/a'));
  await line.got('hello');
  assert.equal(kept.handle, null, 'another address');
  for (const times of [3, 4]) {
    line.write(get(place, '/b'));
    await line.until(({ received }) => received.split('hello').length === times);
    assert.equal(kept.text, `${head(5)}hello`);
  }
});

test('a diverted answer is read at the pace of the tap, whatever the engine does', async (t) => {
  const length = 4_000_000;
  const { slot } = await openWorld(t);
  await using use = slot.begin(OPEN);
  const { port } = await target(t, (socket) =>
    socket.once('data', () => socket.write(head(length) + 'x'.repeat(length))),
  );
  const place = `127.0.0.1:${port}`;
  const { kept, open } = keeping((handle) => {
    handle.divert();
    handle.pause();
  });
  use.tap(`http://${place}/`, open);
  const line = new Line(slot.port, { paused: true }).write(get(place));
  await until(() => kept.text !== '');
  const before = kept.text.length;
  await pause(100);
  assert.equal(kept.text.length, before, 'nothing is read while it pauses');
  line.socket.destroy();
  kept.handle!.resume();
  await until(() => kept.text.length === head(length).length + length);
});

test('the engine gets only the beginning of a diverted answer', async (t) => {
  const length = 400_000;
  const { slot } = await openWorld(t);
  await using use = slot.begin(OPEN);
  const { port } = await target(t, (socket) =>
    socket.once('data', () => {
      socket.write(head(length));
      setTimeout(() => socket.write('x'.repeat(length)), 50);
    }),
  );
  const place = `127.0.0.1:${port}`;
  const { kept, open } = keeping((handle) => handle.divert());
  use.tap(`http://${place}/`, open);
  const line = new Line(slot.port).write(get(place));
  const most = head(length).length + 16 * 1024;
  await until(() => kept.text.length === head(length).length + length);
  await line.got(most);
  assert.equal(line.received.length, most);
});

test('that an answer ends is told, and how', async (t) => {
  for (const broken of [false, true]) {
    const { slot } = await openWorld(t);
    await using use = slot.begin(OPEN);
    const { port } = await target(t, (socket) =>
      socket.once('data', async () => {
        socket.write(`${head(50)}some`);
        await pause(50);
        if (broken) socket.resetAndDestroy();
        else socket.end();
      }),
    );
    const place = `127.0.0.1:${port}`;
    const { kept, open } = keeping((handle) => handle.divert());
    use.tap(`http://${place}/`, open);
    new Line(slot.port).write(get(place));
    await until(() => kept.ended !== null);
    assert.deepEqual([kept.ended, kept.text], [broken, `${head(50)}some`]);
  }
});
