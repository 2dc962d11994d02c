import type { Readable, Writable } from 'node:stream';

/** What Playwright calls a transport of the Chrome DevTools Protocol. */
export interface PipeTransport {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
}

/** Bytes of one message. The largest that are asked for are bodies and pictures; no string of the engine holds 512 MiB. */
const MAX_MESSAGE_BYTES = 384 * 1024 * 1024;

/**
 * Messages of the DevTools Protocol over the pipes 3 and 4 of `--remote-debugging-pipe`: JSON, each ended by a zero byte.
 * Closing it ends the browser, which goes when its pipe does.
 */
export function createPipeTransport(toBrowser: Writable, fromBrowser: Readable): PipeTransport {
  /** What is said at once leaves at once: each write wakes the browser. */
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
  /** Of the message that is arriving; joined once, when its end is there. */
  let pieces: Buffer[] = [];
  let bytes = 0;
  /** What it says cannot be read on: a page may have made it. */
  const giveUp = () => {
    pieces = [];
    toBrowser.end();
    fromBrowser.destroy();
  };
  const deliver = (piece: Buffer) => {
    const whole = pieces.length === 0 ? piece : Buffer.concat([...pieces, piece]);
    pieces = [];
    bytes = 0;
    let message: object;
    try {
      message = JSON.parse(whole.toString('utf8')) as object;
    } catch {
      giveUp();
      return;
    }
    // Each in a turn of its own: Playwright expects what one message sets off to be done before the next one.
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
  // A browser that is killed breaks the pipe under a message; that it is gone is told by the other pipe.
  toBrowser.on('error', () => {});
  fromBrowser.on('error', () => {});
  return transport;
}
