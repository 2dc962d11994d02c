import { type Failure, failure } from '../../../../domain/failure.ts';
import type { GatewayTrip } from '../../../../egress/gateway/gateway.ts';

const CERTIFICATE: Readonly<Record<string, string>> = {
  ERR_CERT_DATE_INVALID: 'expired',
  ERR_CERT_AUTHORITY_INVALID: 'untrusted',
  ERR_CERT_COMMON_NAME_INVALID: 'hostname',
  ERR_CERT_WEAK_KEY: 'weak',
  ERR_CERT_WEAK_SIGNATURE_ALGORITHM: 'weak',
  ERR_SSL_VERSION_OR_CIPHER_MISMATCH: 'weak',
  ERR_SSL_WEAK_SERVER_EPHEMERAL_DH_KEY: 'weak',
  ERR_SSL_OBSOLETE_VERSION: 'weak',
};
const LOST = /^ERR_(?:EMPTY_RESPONSE|CONNECTION_(?:RESET|CLOSED|ABORTED)|SOCKET_NOT_CONNECTED)$/;

const NOWHERE =
  /^ERR_(?:INVALID_REDIRECT|UNSAFE_REDIRECT|UNKNOWN_URL_SCHEME|DISALLOWED_URL_SCHEME|INVALID_URL|RESPONSE_HEADERS_MULTIPLE_LOCATION)$/;

/**
 * Why a navigation gave no document.
 * @param error as Chromium names it: `net::ERR_…`
 * @param trip the connection that it wanted: what the gateway knows goes before what the browser was told
 */
export function netFailure(error: string, url: string, trip: GatewayTrip | null): Failure {
  if (trip !== null && trip.cause !== null) return trip.cause;
  const code = error.replace('net::', '');
  const { host } = new URL(url);
  if (code in CERTIFICATE || code.startsWith('ERR_CERT_') || code.startsWith('ERR_SSL_'))
    return failure('tls.invalid', `The TLS connection to ${host} is refused by the browser (${code}).`, {
      details: {
        reason: CERTIFICATE[code] ?? (code.startsWith('ERR_CERT_') ? 'untrusted' : 'other'),
        net: code,
      },
    });
  if (LOST.test(code)) return failure('connect.reset', `${host} closed the connection without a response.`);
  if (NOWHERE.test(code)) return failure('redirect.invalid', `A redirect of ${host} is invalid (${code}).`);
  if (code === 'ERR_TOO_MANY_REDIRECTS')
    return failure('redirect.too_many', 'The page redirected more often than a browser follows.');
  if (code === 'ERR_UNSAFE_PORT')
    return failure('connect.unreachable', `Browsers do not connect to the port of ${host}.`);
  return failure('http.protocol', `The browser could not load the page of ${host} (${code}).`);
}

/** The browser refused a command without which there is no page. @param refusal see `refusalOf` */
export const refused = (refusal: string): Failure =>
  failure('http.protocol', `The browser refused a command that the page needs (${refusal}).`);
