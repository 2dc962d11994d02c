import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createPipeTransport } from '../../../src/browser/engine/pipe-transport.ts';

/** The browser's end of the pipe. `writes` has the messages of each write. */
function aBrowser() {
  const writes: string[][] = [];
  const toBrowser = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      writes.push([String(chunk)]);
      done();
    },
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => String(chunk)));
      done();
    },
  });
  const fromBrowser = new PassThrough();
  const transport = createPipeTransport(toBrowser, fromBrowser);
  const heard: object[] = [];
  transport.onmessage = (message) => heard.push(message);
  return { transport, toBrowser, fromBrowser, writes, heard };
}

describe('The pipe to a browser', () => {
  test('sends the messages of one turn in one write, each whole and in order', async () => {
    const { transport, writes } = aBrowser();
    for (const id of [1, 2, 3]) transport.send({ id });
    assert.deepEqual(writes, []);
    await turn();
    transport.send({ id: 4 });
    await turn();
    assert.deepEqual(writes, [['{"id":1}\0', '{"id":2}\0', '{"id":3}\0'], ['{"id":4}\0']]);
  });

  test('sends what was queued before it closes', async () => {
    const { transport, toBrowser, writes } = aBrowser();
    transport.send({ id: 1 });
    transport.close();
    await turn();
    assert.deepEqual(writes, [['{"id":1}\0']]);
    assert.equal(toBrowser.writableFinished, true);
    assert.throws(() => transport.send({ id: 2 }), /gone/);
  });

  test('delivers messages that arrive in pieces or together, each whole and in order', async () => {
    const { fromBrowser, heard } = aBrowser();
    const bytes = Buffer.from('{"text":"é"}\0{"b":2}\0{"c"');
    for (const at of bytes.keys()) fromBrowser.write(bytes.subarray(at, at + 1));
    fromBrowser.write(':3}\0{"d":4}\0');
    await turn();
    await turn();
    assert.deepEqual(heard, [{ text: 'é' }, { b: 2 }, { c: 3 }, { d: 4 }]);
  });

  test('closes the connection at a message that cannot be parsed', async () => {
    const { transport, toBrowser, fromBrowser, heard } = aBrowser();
    let closed = 0;
    transport.onclose = () => void closed++;
    fromBrowser.write('{"a":1}\0{"b":\0');
    for (let n = 0; n < 5; n++) await turn();
    assert.deepEqual(heard, [{ a: 1 }]);
    assert.equal(closed, 1);
    assert.equal(toBrowser.writableEnded, true);
  });
});
