import { connect } from 'node:net';

/**
 * Sends exactly these bytes over a TCP connection to loopback. Returns, in Latin-1, everything received until the other
 * side closes, or `done` returns true for it (default: the header is complete). Rejects after `ms` milliseconds.
 */
export function rawHttp(
  port: number,
  text: string | Uint8Array,
  done: (received: string) => boolean = (received) => received.includes('\r\n\r\n'),
  ms = 10_000,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1');
    const timer = setTimeout(() => socket.destroy(new Error(`nothing for ${ms} ms: ${received}`)), ms);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (done(received)) socket.destroy();
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      // A response that is followed by a reset counts as a response.
      if (received === '') reject(error);
      else resolve(received);
    });
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(received);
    });
    socket.write(text);
  });
}
