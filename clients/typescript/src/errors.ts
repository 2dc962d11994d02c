import type { ErrorCode, ErrorEntry, Problem, ScrapeProblem } from './types.gen.ts';

/**
 * `client.timeout`: the time limit of the call (`timeoutMs`) was reached.
 * `client.connection`: there was no response, or it broke off.
 * `client.response`: the response is not one of Sluice's, for example that of a proxy in front of it.
 */
export type ClientErrorCode = 'client.timeout' | 'client.connection' | 'client.response';

interface Details {
  readonly code: ErrorCode | ClientErrorCode;
  readonly message: string;
  readonly status?: number;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | null;
  readonly requestId?: string | null;
  readonly problem?: Problem | ScrapeProblem;
  readonly cause?: unknown;
}

/** A call has failed. A call that was ended by its own `AbortSignal` throws the reason of the signal instead. */
export class SluiceError extends Error {
  override readonly name = 'SluiceError';
  /** One of the codes at `/api/v1/errors/`, or of `ClientErrorCode`. */
  readonly code: ErrorCode | ClientErrorCode;
  /** Status of the response; null: there was none. */
  readonly status: number | null;
  /** What was wrong, with JSON pointers into the request; empty if the response is not one of Sluice's. */
  readonly errors: readonly ErrorEntry[];
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** How long to wait before another try, as `Retry-After` says; null: it says nothing. */
  readonly retryAfterMs: number | null;
  /** Id of the request in the logs of the service. */
  readonly requestId: string | null;
  /** The body of the response; null: it is not a problem of Sluice's. */
  readonly problem: Problem | ScrapeProblem | null;

  constructor(details: Details) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.status = details.status ?? null;
    this.errors = details.problem?.errors ?? [];
    this.retryable = details.retryable;
    this.retryAfterMs = details.retryAfterMs ?? null;
    this.requestId = details.requestId ?? null;
    this.problem = details.problem ?? null;
  }

  /** The failed scrape with all its fields; null: the request was refused before it became a scrape. */
  get scrape(): ScrapeProblem | null {
    return this.problem !== null && 'router' in this.problem ? this.problem : null;
  }
}

/** Statuses with which proxies in front of the service say that it cannot be reached for now. */
const PASSING_STATUSES = [429, 502, 503, 504];

/** The error that a response with a status other than 2xx stands for. */
export function errorOf(response: Response, text: string): SluiceError {
  const problem = problemOf(text);
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  const requestId = problem?.request_id ?? response.headers.get('x-request-id');
  const { status } = response;
  if (problem !== null)
    return new SluiceError({
      code: problem.code,
      message: `${problem.code}: ${problem.detail}`,
      status,
      retryable: problem.retryable,
      retryAfterMs,
      requestId,
      problem,
    });
  // A browser tells nothing about a redirect that it does not follow: its status is 0.
  const isRedirect = status < 400;
  const location = response.headers.get('location');
  const message = isRedirect
    ? `The service redirects${location === null ? '' : ` to ${location}`}. Set \`baseUrl\` to where it is.`
    : `The response with status ${status} is not one of Sluice's.`;
  const retryable = PASSING_STATUSES.includes(status);
  return new SluiceError({ code: 'client.response', message, status, retryable, retryAfterMs, requestId });
}

function problemOf(text: string): Problem | ScrapeProblem | null {
  try {
    const body: unknown = JSON.parse(text);
    const isProblem = typeof body === 'object' && body !== null && 'code' in body && 'retryable' in body;
    return isProblem ? (body as Problem | ScrapeProblem) : null;
  } catch {
    return null;
  }
}

/** `Retry-After` in milliseconds: a number of seconds or a date (RFC 9110 §10.2.3); null: there is none. */
function readRetryAfter(text: string | null): number | null {
  if (text === null) return null;
  const ms = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
