import { isIP, type Socket } from 'node:net';
import { connect, rootCertificates, type TLSSocket } from 'node:tls';
import type { Failure } from '../../domain/failure.ts';
import { proxyFailed } from './proxy-failure.ts';

export interface ProxyTlsAsk {
  readonly socket: Socket;
  /** Of the proxy, as in `URL.hostname`. */
  readonly host: string;
  /** PEM, trusted beside the authorities of Node. */
  readonly ca: readonly string[] | null;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/** TLS with the proxy itself. Its certificate is always verified: it is given credentials. Never rejects. */
export function proxyTls({ socket, host, ca, signal, limitMs }: ProxyTlsAsk): Promise<TLSSocket | Failure> {
  return new Promise((resolve) => {
    const name = host.replace(/^\[|\]$/g, '');
    const secure = connect({
      socket,
      host: name,
      servername: isIP(name) === 0 ? name : '',
      ALPNProtocols: ['http/1.1'],
      ...(ca === null ? {} : { ca: [...rootCertificates, ...ca] }),
    });
    const settle = (result: TLSSocket | Failure) => {
      clearTimeout(timer);
      secure.removeListener('secureConnect', onSecure);
      secure.removeListener('error', onError);
      secure.removeListener('close', onError);
      signal.removeEventListener('abort', onError);
      if (result !== secure) {
        secure.on('error', () => {});
        secure.destroy();
        socket.destroy();
      }
      resolve(result);
    };
    const onSecure = () => settle(secure);
    const onError = (error?: unknown) => {
      const code = (error as NodeJS.ErrnoException | undefined)?.code;
      const why = typeof code === 'string' ? ` (${code})` : '';
      settle(proxyFailed('protocol', 'proxy', `The TLS connection to the proxy failed${why}.`));
    };
    const timer = setTimeout(
      () => settle(proxyFailed('timeout', 'proxy', 'The TLS handshake with the proxy timed out.')),
      limitMs,
    );
    secure.once('secureConnect', onSecure);
    secure.once('error', onError);
    secure.once('close', onError);
    if (signal.aborted) onError();
    else signal.addEventListener('abort', onError, { once: true });
  });
}
