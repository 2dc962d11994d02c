import type { Problem } from './types.ts';

/** Whatever kept a call from its answer: a refusal of the service, or no service at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** null: there was no answer. */
  readonly status: number | null;
  readonly problem: Problem | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  private constructor(message: string, parts: Omit<ApiError, keyof Error | 'code' | 'retryable'>) {
    super(message);
    this.status = parts.status;
    this.problem = parts.problem;
    this.requestId = parts.requestId;
    this.retryAfterSeconds = parts.retryAfterSeconds;
  }

  static ofAnswer(response: Response, body: unknown): ApiError {
    const problem = isProblem(body) ? body : null;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return new ApiError(problem?.detail ?? `The service answered with status ${response.status}.`, {
      status: response.status,
      problem,
      requestId: problem?.request_id ?? response.headers.get('x-request-id'),
      retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
    });
  }

  static noAnswer(): ApiError {
    const message = 'The service cannot be reached. It may be restarting, or your network is down.';
    return new ApiError(message, { status: null, problem: null, requestId: null, retryAfterSeconds: null });
  }

  get code(): string | null {
    return this.problem?.code ?? null;
  }

  /** Whether the same call may succeed a little later. */
  get retryable(): boolean {
    return this.status === null || (this.problem?.retryable ?? this.status >= 500);
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
}

/** Whether there is no session (any more). */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/**
 * The refusals by the member that they are about, for a form: `{email: '…'}`; members inside of others joined with
 * dots, as Mantine's forms name them. What is about no member of `known` is left out.
 */
export function fieldErrors(error: unknown, known: readonly string[]): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const found: Record<string, string> = {};
  for (const { pointer, message } of error.problem?.errors ?? []) {
    const name = (pointer ?? '').slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
    const field = known.find((one) => name === one || name.startsWith(`${one}.`));
    if (field !== undefined) found[field] ??= message;
  }
  return found;
}
