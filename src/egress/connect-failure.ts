import { type Failure, failure } from '../domain/failure.ts';

/** `host:port` as the caller named them, for messages. */
export type ConnectTarget = string;

/** The failure for an error code of connect(2). If the failure does not tell the cause, `details.errno` has the code. */
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
 * If several addresses of a target fail, the most relevant failure is reported. The order: this host lacks resources (then
 * nothing is known about the target), the address is not allowed, the target responded (refused, reset), no response, no route.
 */
const BY_RELEVANCE = [
  'service.unavailable',
  'policy.address',
  'connect.refused',
  'connect.reset',
  'connect.timeout',
  'connect.unreachable',
];

export function moreRelevantFailure(first: Failure | null, second: Failure): Failure {
  if (first === null) return second;
  return BY_RELEVANCE.indexOf(second.code) < BY_RELEVANCE.indexOf(first.code) ? second : first;
}
