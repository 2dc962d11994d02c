import type { Readable, Writable } from 'node:stream';

/** The interface of Playwright for a CDP transport. */
export interface PipeTransport {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
}

/** The largest messages are bodies and screenshots. Strings of V8 are shorter than 512 MiB. */
const MAX_MESSAGE_BYTES = 384 * 1024 * 1024;

/**
 * CDP over the pipes of `--remote-debugging-pipe` (descriptors 3 and 4): messages in JSON, each followed by a zero byte. The
 * browser ends when the transport is closed.
 */
export function createPipeTransport(toBrowser: Writable, fromBrowser: Readable): PipeTransport {
  /** Messages of one tick are one write, because each write wakes the browser. */
  const uncork = () => toBrowser.uncork();
  const transport: PipeTransport = {
    send(message) {
      if (!toBrowser.writable) throw new Error('the browser is gone');
      if (toBrowser.writableCorked === 0) {
        toBrowser.cork();
        process.nextTick(uncork);
      }
      toBrowser.write(`${JSON.stringify(message)}\0`);
    },
    close: () => void toBrowser.end(),
  };
  /** Chunks of an incomplete message. */
  let pieces: Buffer[] = [];
  let bytes = 0;
  /** The output cannot be parsed; a page may have caused that. */
  const giveUp = () => {
    pieces = [];
    toBrowser.end();
    fromBrowser.destroy();
  };
  const deliver = (lastPiece: Buffer) => {
    const whole = pieces.length === 0 ? lastPiece : Buffer.concat([...pieces, lastPiece]);
    pieces = [];
    bytes = 0;
    let message: object;
    try {
      message = JSON.parse(whole.toString('utf8')) as object;
    } catch {
      giveUp();
      return;
    }
    // One message per turn of the event loop: Playwright expects its reactions to be finished before the next message.
    setImmediate(() => transport.onmessage?.(message));
  };
  fromBrowser.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      deliver(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from === chunk.length || fromBrowser.destroyed) return;
    pieces.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > MAX_MESSAGE_BYTES) giveUp();
  });
  fromBrowser.once('close', () => setImmediate(() => transport.onclose?.()));
  // When a browser is killed, writing fails; the other pipe reports its end.
  toBrowser.on('error', () => {});
  fromBrowser.on('error', () => {});
  return transport;
}
