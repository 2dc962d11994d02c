import type { Readable, Writable } from 'node:stream';

/** The interface of Playwright for a CDP transport. */
export interface PipeTransport {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
}

/** The largest messages are bodies and screenshots. V8 cannot make strings of 512 MiB or more. */
const MAX_MESSAGE_BYTES = 384 * 1024 * 1024;

/**
 * CDP over the pipes of `--remote-debugging-pipe` (descriptors 3 and 4): messages in JSON, each followed by a zero byte. The
 * browser ends when the transport is closed.
 */
export function createPipeTransport(toBrowser: Writable, fromBrowser: Readable): PipeTransport {
  /** All messages of one tick become one write, because each write wakes the browser. */
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
  let pieceBytes = 0;
  /** Ends the browser: its output is too long or cannot be parsed. A page may have caused that. */
  const giveUp = () => {
    pieces = [];
    toBrowser.end();
    fromBrowser.destroy();
  };
  const deliver = (lastPiece: Buffer) => {
    const whole = pieces.length === 0 ? lastPiece : Buffer.concat([...pieces, lastPiece]);
    pieces = [];
    pieceBytes = 0;
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
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      deliver(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start === chunk.length || fromBrowser.destroyed) return;
    pieces.push(chunk.subarray(start));
    pieceBytes += chunk.length - start;
    if (pieceBytes > MAX_MESSAGE_BYTES) giveUp();
  });
  fromBrowser.once('close', () => setImmediate(() => transport.onclose?.()));
  // Writing fails when the browser was killed. The close of the other pipe reports that.
  toBrowser.on('error', () => {});
  fromBrowser.on('error', () => {});
  return transport;
}
