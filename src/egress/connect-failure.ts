import { type Failure, failure } from '../domain/failure.ts';

/** `host:port` as the caller named them, for messages. */
export type ConnectTarget = string;

/** The failure for an error code of connect(2). `details.errno` has the code where the failure is less specific. */
export function connectFailure(errno: string | undefined, target: ConnectTarget): Failure {
  switch (errno) {
    case 'ECONNREFUSED':
      return failure('connect.refused', `${target} refused the connection.`);
    case 'ECONNRESET':
    case 'EPIPE':
    case 'ECONNABORTED':
      return failure('connect.reset', `${target} closed the connection while it was being opened.`);
    case 'ETIMEDOUT':
      return failure('connect.timeout', `${target} did not respond.`);
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
    case 'EHOSTDOWN':
    case 'EADDRNOTAVAIL':
      return failure('connect.unreachable', `There is no route to ${target}.`);
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOBUFS':
    case 'ENOMEM':
      return failure('service.unavailable', 'The service cannot open another connection now.', {
        details: { errno },
      });
    default:
      return failure('connect.unreachable', `${target} cannot be reached.`, {
        details: { errno: errno ?? 'unknown' },
      });
  }
}

/**
 * Which failure of several addresses is reported, the most relevant first: a lack of resources of this host (nothing is
 * known of the target then), a response of the target (refused, reset), no response, no route.
 */
const BY_RELEVANCE = [
  'service.unavailable',
  'policy.address',
  'connect.refused',
  'connect.reset',
  'connect.timeout',
  'connect.unreachable',
];

export function moreRelevantFailure(first: Failure | null, other: Failure): Failure {
  if (first === null) return other;
  return BY_RELEVANCE.indexOf(other.code) < BY_RELEVANCE.indexOf(first.code) ? other : first;
}
