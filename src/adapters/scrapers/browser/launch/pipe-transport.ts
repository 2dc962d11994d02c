import type { Readable, Writable } from 'node:stream';

/** What Playwright calls a transport of the Chrome DevTools Protocol. */
export interface PipeTransport {
  send(message: object): void;
  close(): void;
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
}

/**
 * Messages of the DevTools Protocol over the pipes 3 and 4 of `--remote-debugging-pipe`: JSON, each ended by a zero byte.
 * Closing it ends the browser, which goes when its pipe does.
 */
export function pipeTransport(toBrowser: Writable, fromBrowser: Readable): PipeTransport {
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
  const deliver = (piece: Buffer) => {
    const whole = pieces.length === 0 ? piece : Buffer.concat([...pieces, piece]);
    pieces = [];
    const message = JSON.parse(whole.toString('utf8')) as object;
    // Each in a turn of its own: Playwright expects what one message sets off to be done before the next one.
    setImmediate(() => transport.onmessage?.(message));
  };
  fromBrowser.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      deliver(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  });
  fromBrowser.once('close', () => setImmediate(() => transport.onclose?.()));
  // A browser that is killed breaks the pipe under a message; that it is gone is told by the other pipe.
  toBrowser.on('error', () => {});
  fromBrowser.on('error', () => {});
  return transport;
}
