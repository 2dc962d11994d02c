import assert from 'node:assert/strict';
import { answerProblem } from './openapi.ts';

export interface ApiOptions {
  /** null: without a key. Default: the key of the service. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is; then without a Content-Type unless `headers` has one. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
}

export interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed when the answer is JSON; checked against the OpenAPI file. */
  readonly body: T;
}

export type Api = <T = unknown>(method: string, path: string, options?: ApiOptions) => Promise<Reply<T>>;

/** Calls the service at `base`, and checks every answer against the OpenAPI file. */
export function apiOf(base: string, defaultKey: string): Api {
  return async <T>(method: string, path: string, options: ApiOptions = {}): Promise<Reply<T>> => {
    const headers: Record<string, string> = {};
    const key = options.key === undefined ? defaultKey : options.key;
    if (key !== null) headers.authorization = `Api-Key ${key}`;
    if (options.body !== undefined) headers['content-type'] = 'application/json';
    Object.assign(headers, options.headers);
    const answer = await fetch(base + path, {
      method,
      headers,
      redirect: 'manual',
      body: options.body === undefined ? (options.raw ?? null) : JSON.stringify(options.body),
      signal: options.signal ?? null,
    });
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? '';
    const mediaType = text === '' ? '' : type.replace(/\s*;.*$/, '').toLowerCase();
    const isJson = mediaType === 'application/json' || mediaType.endsWith('+json');
    const body = (isJson ? JSON.parse(text) : text) as T;
    if (path.startsWith('/api/')) {
      assert.ok(answer.headers.get('x-request-id'), `${method} ${path}: no X-Request-Id`);
      if (method !== 'HEAD') {
        const wrong = answerProblem({ method, path, status: answer.status, mediaType, body });
        assert.equal(wrong, null, `${wrong}\n${text.slice(0, 2000)}`);
      }
    }
    return { status: answer.status, headers: answer.headers, text, body };
  };
}
