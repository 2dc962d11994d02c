import { connect } from 'node:net';

/**
 * Sends text over a plain connection, and gives everything that came until the other side closed it, or until `done`
 * is content with what came. What the caller does not send is not sent: no Host, no length, nothing.
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
      // An early answer and a reset behind it are one thing.
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
