import { sleep } from '../../base/wait.ts';
import type { ApiCall, ApiReply } from '../../ports/api.ts';
import { CommandError, WRONG_USAGE } from './command.ts';

/** Calls the API of a service: a remote one, or the one in this process. */
export interface ApiClient {
  /** The service runs in this process, and stops with the command. */
  readonly isLocal: boolean;
  /**
   * Sends a request. All but POST are repeated for a minute while the service cannot be reached or is busy.
   * @param path with the query, such as `/api/v1/jobs/`
   * @returns the JSON body; undefined if there is none
   * @throws ApiError if the API refuses the request; Unreachable; CallAborted
   */
  call<T>(method: string, path: string, options?: CallOptions): Promise<T>;
  /** Like `call`, but gives the text of the body, also of a refusal that `accepts` takes. */
  text(method: string, path: string, options?: TextOptions): Promise<string>;
  /**
   * Gets the bytes behind a link of the service. Its origin is the one by which the service was called.
   * @throws Unreachable; CommandError
   */
  bytes(link: string, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Gets a body piece by piece, as it arrives. Not repeated.
   * @throws ApiError; Unreachable if the connection breaks or the service is busy
   */
  pieces(path: string): AsyncGenerator<Uint8Array>;
  /**
   * Gets lines of JSON, as they arrive. Not repeated.
   * @throws ApiError; Unreachable if the connection breaks or the service is busy
   */
  lines(path: string): AsyncGenerator<string>;
  /**
   * Sends a request once, and gets the reply as it is, also a refusal.
   * @throws Unreachable; the reason of the signal
   */
  reply(call: Omit<ApiCall, 'key' | 'remoteAddress'>): Promise<ApiReply>;
}

interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as lines of JSON. */
  readonly lines?: string;
  /** The request is not repeated. */
  readonly once?: true;
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

interface TextOptions extends CallOptions {
  /** Whether the body of a refusal is a result. */
  readonly accepts?: (text: string) => boolean;
}

/** An entry of `errors` of a problem. */
interface ProblemEntry {
  readonly code: string;
  readonly message: string;
  /** Of a batch of lines, from 1. */
  readonly line?: number;
}

/** `signal` has ended the call. */
export class CallAborted extends Error {}

/** The service cannot be reached, or a connection has ended early. */
export class Unreachable extends CommandError {}

/** The API has refused a request. */
export class ApiError extends CommandError {
  readonly status: number;
  readonly errors: readonly ProblemEntry[];
  readonly total: number;
  constructor(status: number, errors: readonly ProblemEntry[], total: number) {
    super(problemText(errors, total), status === 400 || status === 422 ? WRONG_USAGE : 1);
    this.status = status;
    this.errors = errors;
    this.total = total;
  }
}

/** @param place what to write before the message of an entry */
export function problemText(
  errors: readonly ProblemEntry[],
  total: number,
  place: (entry: ProblemEntry) => string = () => '',
): string {
  const lines = errors.map((entry) => `${place(entry)}${entry.code}: ${entry.message}`);
  if (total > errors.length) lines.push(`… and ${total - errors.length} more`);
  return lines.join('\n');
}

/** Pause between two tries of a request, and how long it is tried. */
const RETRY_MS = 1_000;
const RETRY_FOR_MS = 60_000;
const LINES_TYPE = 'application/x-ndjson';
const BUSY: readonly number[] = [429, 502, 503, 504];

/**
 * @param baseUrl without a slash at the end
 * @param headers with the credential
 */
export function createApiClient(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  isLocal: boolean,
): ApiClient {
  const send = async (method: string, path: string, { body, lines, signal }: CallOptions) => {
    const type = lines === undefined ? 'application/json' : LINES_TYPE;
    const content = lines ?? (body === undefined ? null : JSON.stringify(body));
    const response = await fetch(baseUrl + path, {
      method,
      headers: content === null ? headers : { ...headers, 'content-type': type },
      body: content,
      // A redirect would repeat a POST as a GET.
      redirect: 'manual',
      signal: signal ?? null,
    });
    return { status: response.status, ok: response.ok, text: await response.text() };
  };
  async function* bodyOf<T>(
    path: string,
    accept: string,
    read: (body: ReadableStream<Uint8Array<ArrayBuffer>>) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    try {
      const response = await fetch(baseUrl + path, { headers: { ...headers, accept }, redirect: 'manual' });
      if (BUSY.includes(response.status)) throw new Unreachable(`${baseUrl} is busy`);
      if (!response.ok) throw refusalOf(baseUrl, { status: response.status, text: await response.text() });
      yield* read(response.body!);
    } catch (error) {
      throw error instanceof CommandError ? error : unreachable(baseUrl, error as Error);
    }
  }
  const pieces = (path: string) => bodyOf(path, '*/*', (body) => body);
  const lines = (path: string) =>
    bodyOf(path, LINES_TYPE, (body) => splitLines(body.pipeThrough(new TextDecoderStream())));
  const reply: ApiClient['reply'] = async ({ method, path, body, headers: more, signal }) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { ...headers, ...more, ...type },
        body: body === undefined ? null : JSON.stringify(body),
        redirect: 'manual',
        signal: signal ?? null,
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes };
    } catch (error) {
      throw signal?.aborted === true ? error : unreachable(baseUrl, error as Error);
    }
  };
  const text = async (method: string, path: string, options: TextOptions = {}): Promise<string> => {
    const mayRepeat = method !== 'POST' && options.once !== true;
    for (const end = Date.now() + RETRY_FOR_MS; ; await sleep(RETRY_MS, options.signal)) {
      const isLast = !mayRepeat || Date.now() > end;
      const reply = await send(method, path, options).catch((error: unknown) => error as Error);
      if (options.signal?.aborted === true) throw new CallAborted();
      if (reply instanceof Error) {
        if (isLast) throw unreachable(baseUrl, reply);
      } else if (reply.ok || options.accepts?.(reply.text) === true) return reply.text;
      else if (isLast || !BUSY.includes(reply.status)) throw refusalOf(baseUrl, reply);
    }
  };
  return {
    isLocal,
    lines,
    pieces,
    reply,
    text,
    async call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
      const body = await text(method, path, options);
      return (body === '' ? undefined : JSON.parse(body)) as T;
    },
    async bytes(link, signal) {
      const { pathname, search } = new URL(link);
      const url = new URL(pathname + search, baseUrl).href;
      const response = await fetch(url, { headers, redirect: 'manual', signal }).catch((error: unknown) => {
        throw signal.aborted ? new CallAborted() : unreachable(baseUrl, error as Error);
      });
      if (!response.ok) throw refusalOf(baseUrl, { status: response.status, text: await response.text() });
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}

/** The lines of a text. The last one must end with a line break, as each does that is complete. */
async function* splitLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let pieces: string[] = [];
  for await (const piece of text) {
    const ends = piece.split('\n');
    for (const end of ends.slice(0, -1)) {
      yield [...pieces, end].join('');
      pieces = [];
    }
    pieces.push(ends.at(-1)!);
  }
}

/** `fetch` hides the cause of its error. */
function unreachable(baseUrl: string, error: Error): Unreachable {
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } };
  const why = cause?.message || cause?.code || error.message;
  return new Unreachable(`${baseUrl} cannot be reached: ${why}`);
}

function refusalOf(
  baseUrl: string,
  { status, text }: { readonly status: number; readonly text: string },
): CommandError {
  try {
    const problem = JSON.parse(text) as {
      readonly errors?: readonly ProblemEntry[];
      readonly errors_total?: number;
    };
    const { errors = [] } = problem;
    if (errors.length > 0) return new ApiError(status, errors, problem.errors_total ?? errors.length);
  } catch {
    // Not from Sluice, but from a proxy or another service.
  }
  return new CommandError(`${baseUrl} answered with status ${status}, and is no Sluice: check SLUICE_URL`);
}
