import { type Failure, failure } from '../domain/failure.ts';

/** Where the caller wanted to go, in the caller's words: `host:port`. */
export type ConnectTarget = string;

/** The failure that an error code of connect(2) stands for. `details.errno` where the code says more than the failure. */
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
 * Of the failures of several addresses the one to report, best first: our own lack of room (nothing can be said of the
 * target then), a machine that answered (refused, reset), silence, no way there.
 */
const BY_RELEVANCE = [
  'service.unavailable',
  'policy.address',
  'connect.refused',
  'connect.reset',
  'connect.timeout',
  'connect.unreachable',
];

export function moreRelevantFailure(one: Failure | null, other: Failure): Failure {
  if (one === null) return other;
  return BY_RELEVANCE.indexOf(other.code) < BY_RELEVANCE.indexOf(one.code) ? other : one;
}
