import { t } from '@lingui/core/macro';
import createClient from 'openapi-fetch';
import { BASE_PATH } from '../app/page-config.ts';
import { serviceTexts } from '../i18n/service-texts.ts';
import type { components, paths } from './schema.gen.ts';

/** A type of the API by its name in the OpenAPI description, such as `Schema<'ApiKey'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Session = Schema<'Session'>;
export type User = Schema<'User'>;
type Problem = Schema<'Problem'>;
export type Outcome = Schema<'ScrapeSummary'>['outcome'];

/** A call failed: the service refused it, or did not respond. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** null: there was no response. */
  readonly status: number | null;
  readonly problem: Problem | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  private constructor(message: string, details: Omit<ApiError, keyof Error | 'code' | 'retryable'>) {
    super(message);
    this.status = details.status;
    this.problem = details.problem;
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  static fromResponse(response: Response, body: unknown): ApiError {
    const problem = isProblem(body) ? body : null;
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return new ApiError(problem?.detail ?? t`The service answered with status ${response.status}.`, {
      status: response.status,
      problem,
      requestId: problem?.request_id ?? response.headers.get('x-request-id'),
      retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
    });
  }

  /** @param problem that arrived in a stream, in place of a response of its own */
  static fromProblem(problem: Problem): ApiError {
    const { status, request_id: requestId } = problem;
    return new ApiError(problem.detail, { status, problem, requestId, retryAfterSeconds: null });
  }

  static noResponse(): ApiError {
    const message = t`The service cannot be reached. It may be restarting, or your network is down.`;
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

/** Whether the call failed because there is no session. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/**
 * The messages of a refusal by form field: `{email: '…'}`. A message about a nested member belongs to the field that contains
 * the member. Messages about members that are in none of the `known` fields are left out.
 */
export function fieldErrors(error: unknown, known: readonly string[]): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const messages: Record<string, string> = {};
  for (const { pointer, message } of error.problem?.errors ?? []) {
    const name = (pointer ?? '').slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
    const field = known.find((member) => name === member || name.startsWith(`${member}.`));
    if (field !== undefined) messages[field] ??= atField(message);
  }
  return messages;
}

/** At its field, the pointer that a message begins with says nothing, except for the position in a list. */
const atField = (message: string): string =>
  message
    .replace(/^`\/[^`]*`: (.)/, (_, first: string) => first.toUpperCase())
    .replace(/^`\/(?:[^`]*\/)?(\d+)`/, (_, index: string) => `Entry ${Number(index) + 1}`)
    .replace(/^`\/[^`]*`/, 'This');

/** Calls the API of the service, with the types of its OpenAPI description. Wrap each call in `responseBody`. */
export const api = createClient<paths>({ baseUrl: BASE_PATH, credentials: 'same-origin' });

interface ApiResponse {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a successful response, `undefined` if it has none. Throws `ApiError` for all other responses. */
export async function responseBody<Response extends ApiResponse>(
  call: Promise<Response>,
): Promise<Exclude<Response['data'], undefined>> {
  const settled = await call.catch((error: unknown) => {
    // The page itself has aborted the call, so the service is not to blame.
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw ApiError.noResponse();
  });
  if (!settled.response.ok) throw ApiError.fromResponse(settled.response, await translated(settled.error));
  return settled.data as Exclude<Response['data'], undefined>;
}

/** A problem with its title in the language of the dashboard. */
async function translated(body: unknown): Promise<unknown> {
  if (!isProblem(body)) return body;
  const inLanguage = await serviceTexts();
  return { ...body, title: inLanguage(body.title) };
}

/** The error to be shown at the top of a form; null if it is already shown at one of the fields. */
export function formError(error: unknown, fields: readonly string[]): unknown {
  return Object.keys(fieldErrors(error, fields)).length === 0 ? error : null;
}
