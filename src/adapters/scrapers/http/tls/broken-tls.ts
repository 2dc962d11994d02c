import type { Failure } from '../../../../domain/failure.ts';
import { tlsFailure } from './tls-failure.ts';

/**
 * What TLS has to say when a connection ends after the handshake; null: it was not TLS. With TLS 1.3 a client has
 * finished before the server judges it: that a client certificate is missing is told only now (RFC 8446 §4.4.2.4).
 */
export function brokenTls(error: NodeJS.ErrnoException | null): Failure | null {
  return error?.code?.startsWith('ERR_SSL_') === true ? tlsFailure(error, 'the target') : null;
}
