import { Deadline, pause } from './deadline.ts';
import { errorOf, SluiceError } from './errors.ts';

export interface SluiceOptions {
  /** Where the service is, such as `https://sluice.example.com`; may have a path. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /**
   * Time limit of a call with all its tries, in milliseconds. Default: the `timeout_ms` of the request and 15 s; for calls
   * without one 60 s. Infinity: no limit.
   */
  readonly timeoutMs?: number;
  /** How often a call is tried again. Default: 2. */
  readonly maxRetries?: number;
  /** Default: the `fetch` of the platform. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal;
  /** As in `SluiceOptions`, for this call. */
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
}

export interface KeyedCallOptions extends CallOptions {
  /** A key of your own instead of the one that is made for each call. A call with the same key gets the same response. */
  readonly idempotencyKey?: string;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface CallSpec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From `/api/` on. */
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * What makes it safe to send the call again if its response is lost. `key`: an `Idempotency-Key`, which the endpoint must
   * support; `safe`: it has no lasting effect. Default: `safe` for GET; all others are then only repeated after the service
   * itself has refused them for now.
   */
  readonly repeat?: 'key' | 'safe';
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** How much longer than the `timeout_ms` of its request a call may take. */
const GRACE_MS = 15_000;
const DEFAULT_RETRIES = 2;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;
const CONFLICT_PAUSE_MS = 1_000;

/** Sends calls, and sends them again where that helps and does no harm. */
export class Transport {
  readonly #options: SluiceOptions;
  readonly #baseUrl: string;

  constructor(options: SluiceOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  /** @returns the body of the response; undefined: it has none. @throws SluiceError, or the reason of `options.signal` */
  async json<T>(spec: CallSpec, options: KeyedCallOptions = {}): Promise<T> {
    const read = async (response: Response) => parsed(response, await response.text());
    return (await this.#call(spec, options, read)) as T;
  }

  async bytes(spec: CallSpec, options: CallOptions = {}): Promise<Uint8Array> {
    return await this.#call(spec, options, async (response) => new Uint8Array(await response.arrayBuffer()));
  }

  /**
   * The response as soon as its headers are there. The time limit and the signal are for the headers; the caller reads the body,
   * and ends it by `connection`.
   */
  async open(spec: CallSpec, options: CallOptions, connection: AbortController): Promise<Response> {
    return await this.#call(spec, options, (response) => Promise.resolve(response), connection);
  }

  async #call<T>(
    spec: CallSpec,
    options: KeyedCallOptions,
    read: (response: Response) => Promise<T>,
    connection = new AbortController(),
  ): Promise<T> {
    const deadline = new Deadline(this.#timeLimit(spec, options), options.signal, (reason) =>
      connection.abort(reason),
    );
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? DEFAULT_RETRIES;
    let key = spec.repeat === 'key' ? (options.idempotencyKey ?? newKey()) : undefined;
    try {
      for (let retries = 0; ; ) {
        const result = await this.#try(spec, key, read, connection.signal);
        if (!(result instanceof SluiceError)) return result.value;
        // The first try is still running; its response is what the caller wants.
        const isConflict = result.code === 'idempotency.conflict';
        if (!isConflict && (retries++ >= maxRetries || !mayRepeat(spec, options, result))) throw result;
        const ms = result.retryAfterMs ?? (isConflict ? CONFLICT_PAUSE_MS : pauseBefore(retries));
        if (ms >= deadline.remaining()) throw result;
        await pause(ms, connection.signal);
        // With its key, a scrape that has ended would only be answered with the same result.
        if (key !== undefined && hasEnded(result)) key = newKey();
      }
    } finally {
      deadline.close();
    }
  }

  async #try<T>(
    { method, path, query, body, headers }: CallSpec,
    key: string | undefined,
    read: (response: Response) => Promise<T>,
    signal: AbortSignal,
  ): Promise<SluiceError | { readonly value: T }> {
    try {
      const { apiKey, fetch: send = fetch } = this.#options;
      signal.throwIfAborted();
      const response = await send(`${this.#baseUrl}${path}${queryText(query)}`, {
        method,
        headers: {
          accept: 'application/json',
          authorization: `Api-Key ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...headers,
        },
        // A redirect would turn a POST into a GET.
        redirect: 'manual',
        signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.ok) return errorOf(response, await response.text());
      return { value: await read(response) };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof SluiceError) return error;
      const message = 'client.connection: The service cannot be reached, or the connection broke off.';
      return new SluiceError({ code: 'client.connection', message, retryable: true, cause: error });
    }
  }

  #timeLimit({ body }: CallSpec, { timeoutMs }: CallOptions): number {
    const own = timeoutMs ?? this.#options.timeoutMs;
    if (own !== undefined) return own;
    const asked = (body as { readonly timeout_ms?: unknown } | undefined)?.timeout_ms;
    return (typeof asked === 'number' ? asked : DEFAULT_TIMEOUT_MS) + GRACE_MS;
  }
}

/** 128 random bits. `crypto.randomUUID` is only there on pages over https. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Whether another try is useful, and does nothing twice. */
function mayRepeat(spec: CallSpec, { idempotencyKey }: KeyedCallOptions, error: SluiceError): boolean {
  if (!error.retryable) return false;
  // A key of the caller's own stands for one scrape.
  if (hasEnded(error)) return idempotencyKey === undefined;
  return error.problem !== null || spec.repeat !== undefined || spec.method === 'GET';
}

/** Whether the error is a scrape that was made, and has failed. */
const hasEnded = ({ scrape }: SluiceError): boolean => scrape !== null && scrape.id !== null;

/** Doubles with each try, up to a quarter earlier or later, so that callers do not come all at once. */
const pauseBefore = (retry: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (retry - 1)) * (0.75 + Math.random() / 2);

function queryText(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

function parsed(response: Response, text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = "client.response: The response is not JSON, so it is not one of Sluice's.";
    const { status } = response;
    throw new SluiceError({ code: 'client.response', message, status, retryable: false, cause: error });
  }
}
