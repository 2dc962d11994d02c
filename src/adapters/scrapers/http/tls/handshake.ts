import { isIP, type Socket } from 'node:net';
import { connect, type SecureContext, type TLSSocket } from 'node:tls';
import type { Failure } from '../../../../domain/failure.ts';
import { failure } from '../../../../domain/failure.ts';
import { checkIdentity } from './check-identity.ts';
import type { SessionCache } from './session-cache.ts';
import { tlsFailure } from './tls-failure.ts';

export interface HandshakeAsk {
  /** Connected; owned by the handshake from now on, also when it fails. */
  readonly socket: Socket;
  /** As in `URL.hostname`. */
  readonly host: string;
  readonly alpn: readonly string[];
  readonly verify: boolean;
  readonly context: SecureContext;
  readonly sessions: SessionCache;
  /** Of the sessions that may be resumed. */
  readonly key: string;
  /** Ends it at once; the failure is then of no meaning. */
  readonly signal: AbortSignal;
}

export type Handshaken =
  | { readonly socket: TLSSocket; readonly failure: null }
  | { readonly socket: null; readonly failure: Failure };

const LEFT = failure('request.cancelled', 'The connection was closed.');

/** TLS over a connected socket, with SNI for names, resumption, and its errors in the caller's words. Never rejects. */
export function handshake(ask: HandshakeAsk): Promise<Handshaken> {
  return new Promise((resolve) => {
    const name = ask.host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const session = ask.sessions.get(ask.key);
    const socket = connect({
      socket: ask.socket,
      // Certificates of IP addresses are checked against `host`; SNI is for names only (RFC 6066 §3).
      host: name,
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: [...ask.alpn],
      secureContext: ask.context,
      rejectUnauthorized: ask.verify,
      checkServerIdentity: checkIdentity,
      ...(session === undefined ? {} : { session }),
    });
    const settle = (result: Handshaken) => {
      socket.removeListener('secureConnect', onSecure);
      socket.removeListener('error', onError);
      socket.removeListener('close', onClose);
      ask.signal.removeEventListener('abort', onAbort);
      if (result.failure !== null) {
        socket.on('error', ignore);
        socket.destroy();
        ask.socket.destroy();
      }
      resolve(result);
    };
    const onSecure = () => settle({ socket, failure: null });
    const onError = (error: NodeJS.ErrnoException) => {
      ask.sessions.delete(ask.key);
      // Undefined while there is none, whatever its type says.
      const agreed = Boolean(socket.getCipher());
      settle({ socket: null, failure: tlsFailure(error, ask.host, agreed) });
    };
    const onClose = () => onError(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const onAbort = () => settle({ socket: null, failure: LEFT });
    socket.on('session', (fresh: Buffer) => ask.sessions.set(ask.key, fresh));
    socket.once('secureConnect', onSecure);
    socket.once('error', onError);
    socket.once('close', onClose);
    if (ask.signal.aborted) onAbort();
    else ask.signal.addEventListener('abort', onAbort, { once: true });
  });
}

function ignore(): void {}
