import assert from 'node:assert/strict';
import { responseProblem } from './openapi.ts';

export interface ApiOptions {
  /** The API key; null: none. Default: the key of the service. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** A body that is sent unchanged, without a Content-Type unless `headers` has one. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
}

export interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed if the response is JSON, otherwise the text. */
  readonly body: T;
}

export type Api = <T = unknown>(method: string, path: string, options?: ApiOptions) => Promise<Reply<T>>;

/** A client for the service at `base`. It asserts that every response fits docs/openapi.json. */
export function apiOf(base: string, defaultKey: string): Api {
  return async <T>(method: string, path: string, options: ApiOptions = {}): Promise<Reply<T>> => {
    const headers: Record<string, string> = {};
    const key = options.key === undefined ? defaultKey : options.key;
    if (key !== null) headers.authorization = `Api-Key ${key}`;
    if (options.body !== undefined) headers['content-type'] = 'application/json';
    Object.assign(headers, options.headers);
    const response = await fetch(base + path, {
      method,
      headers,
      redirect: 'manual',
      body: options.body === undefined ? (options.raw ?? null) : JSON.stringify(options.body),
      signal: options.signal ?? null,
    });
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    const mediaType = text === '' ? '' : type.replace(/\s*;.*$/, '').toLowerCase();
    const isJson = mediaType === 'application/json' || mediaType.endsWith('+json');
    const body = (isJson ? JSON.parse(text) : text) as T;
    if (path.startsWith('/api/')) {
      assert.ok(response.headers.get('x-request-id'), `${method} ${path}: no X-Request-Id`);
      if (method !== 'HEAD') {
        const error = responseProblem({ method, path, status: response.status, mediaType, body });
        assert.equal(error, null, `${error}\n${text.slice(0, 2000)}`);
      }
    }
    return { status: response.status, headers: response.headers, text, body };
  };
}
