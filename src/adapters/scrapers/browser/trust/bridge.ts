import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { type SecureContext, TLSSocket } from 'node:tls';

export type Protocol = 'http/1.1' | 'h2';

/**
 * What a browser speaks TLS with in place of a target whose certificate was verified here. All of it ends with any
 * part of it.
 * @param own a certificate that the browser takes
 * @param protocol what is spoken with the target, as ALPN names it
 */
export function bridge(target: TLSSocket, own: SecureContext, protocol: Protocol): Duplex {
  const [outside, inside] = duplexPair();
  const engine = new TLSSocket(inside as Socket, {
    isServer: true,
    secureContext: own,
    ALPNProtocols: [protocol],
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
