import { DEADLINE_EXCEEDED } from '../../base/time.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { ConnectionLog } from '../../egress/gateway/gateway.ts';
import { protocolErrorOf } from '../engine/cdp-session.ts';

const CERTIFICATE_REASONS: Readonly<Record<string, string>> = {
  ERR_CERT_DATE_INVALID: 'expired',
  ERR_CERT_AUTHORITY_INVALID: 'untrusted',
  ERR_CERT_COMMON_NAME_INVALID: 'hostname',
  ERR_CERT_WEAK_KEY: 'weak',
  ERR_CERT_WEAK_SIGNATURE_ALGORITHM: 'weak',
  ERR_SSL_VERSION_OR_CIPHER_MISMATCH: 'weak',
  ERR_SSL_WEAK_SERVER_EPHEMERAL_DH_KEY: 'weak',
  ERR_SSL_OBSOLETE_VERSION: 'weak',
};
const CONNECTION_LOST = /^ERR_(?:EMPTY_RESPONSE|CONNECTION_(?:RESET|CLOSED|ABORTED)|SOCKET_NOT_CONNECTED)$/;

const INVALID_REDIRECT =
  /^ERR_(?:INVALID_REDIRECT|UNSAFE_REDIRECT|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|INVALID_URL|RESPONSE_HEADERS_MULTIPLE_LOCATION)$/;

/**
 * Why a navigation failed.
 * @param error of Chromium: `net::ERR_…`
 * @param connection of the request: the gateway knows more about its failure than the browser
 */
export function navigationFailure(error: string, url: string, connection: ConnectionLog | null): Failure {
  if (connection !== null && connection.cause !== null) return connection.cause;
  const code = error.replace('net::', '');
  const { host } = new URL(url);
  if (code in CERTIFICATE_REASONS || code.startsWith('ERR_CERT_') || code.startsWith('ERR_SSL_'))
    return failure('tls.invalid', `The TLS connection to ${host} is refused by the browser (${code}).`, {
      details: {
        reason: CERTIFICATE_REASONS[code] ?? (code.startsWith('ERR_CERT_') ? 'untrusted' : 'other'),
        net: code,
      },
    });
  if (CONNECTION_LOST.test(code))
    return failure('connect.reset', `${host} closed the connection without a response.`);
  if (INVALID_REDIRECT.test(code))
    return failure('redirect.invalid', `A redirect of ${host} is invalid (${code}).`);
  if (code === 'ERR_TOO_MANY_REDIRECTS')
    return failure('redirect.too_many', 'The page redirected more often than a browser follows.');
  if (code === 'ERR_UNSAFE_PORT')
    return failure('connect.unreachable', `Browsers do not connect to the port of ${host}.`);
  return failure('http.protocol', `The browser could not load the page of ${host} (${code}).`);
}

/** The browser rejected a command that the page needs. @param refusal from `protocolErrorOf` */
export const protocolFailure = (refusal: string): Failure =>
  failure('http.protocol', `The browser refused a command that the page needs (${refusal}).`);

/** Abort reasons of the signal of a scrape, besides those of the deadline. */
export const ATTEMPT_TIMED_OUT: Error = new Error('the share of the attempt is used up');
export const PAGE_CRASHED: Error = new Error('the page or its browser has ended');
export const BROWSER_HANGS: Error = new Error('it cannot open a page');

/** The browser does not accept the caller's `storage_state`. */
export class StorageRejected extends Error {}

/** Why a scrape has no page. @param signal of the scrape @param error that ended it */
export function scrapeFailure(signal: AbortSignal, error: unknown): Failure {
  if (signal.aborted && signal.reason === DEADLINE_EXCEEDED)
    return failure('timeout.total', 'The request timed out.');
  if (signal.aborted && signal.reason === ATTEMPT_TIMED_OUT)
    return failure('timeout.attempt', 'The attempt timed out: its share of the time is used up.');
  if (signal.aborted && signal.reason !== PAGE_CRASHED && signal.reason !== BROWSER_HANGS)
    return failure('request.cancelled', 'The client disconnected.');
  if (!signal.aborted && error instanceof StorageRejected)
    return failure('scraper.unsupported_option', `The browser does not take this storage: ${error.message}`, {
      pointer: '/scraper_options/storage_state',
    });
  const refusal = signal.aborted ? null : protocolErrorOf(error);
  if (refusal !== null) return protocolFailure(refusal);
  const detail =
    error instanceof Error && error !== PAGE_CRASHED ? ` (${error.message.split('\n', 1)[0]})` : '';
  return failure('browser.crashed', `The browser ended before the page could be read${detail}.`);
}
