import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { type SecureContext, TLSSocket } from 'node:tls';

/**
 * What a browser speaks TLS with in place of a target whose certificate was verified here. All of it ends with any
 * part of it.
 * @param target to the target; HTTP/1.1 was agreed on, or nothing
 * @param own a certificate that the browser takes
 */
export function bridge(target: TLSSocket, own: SecureContext): Duplex {
  const [outside, inside] = duplexPair();
  const engine = new TLSSocket(inside as Socket, {
    isServer: true,
    secureContext: own,
    ALPNProtocols: ['http/1.1'],
  });
  const end = (error?: Error) => {
    target.destroy();
    engine.destroy();
    inside.destroy();
    outside.destroy(error);
  };
  // How the target broke the connection is for whoever holds the other end.
  target.on('error', end);
  engine.on('error', () => end());
  outside.on('close', () => end());
  target.on('close', () => {
    if (!target.readableEnded) end(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
  });
  target.pipe(engine).pipe(target);
  return outside;
}
