import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** What a page answers. */
export interface TestReply {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  /** Text is sent as UTF-8. */
  readonly body?: string | Buffer;
  /** Default: HTML in UTF-8; null: none. */
  readonly type?: string | null;
}

/** What a page knows of a request. */
export interface TestRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  /** At most 64 KiB; what is longer is cut. */
  readonly body: Buffer;
  /** Groups of the path. */
  readonly groups: readonly string[];
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/** Sends something that is no ordinary answer. */
export type OddReply = (response: ServerResponse) => void;

export type Responder = (request: TestRequest) => TestReply | OddReply | Promise<TestReply | OddReply>;

export const HTML = 'text/html; charset=utf-8';

export function sendReply(
  response: ServerResponse,
  { status = 200, headers = {}, body = '', type = HTML }: TestReply,
): void {
  response.writeHead(status, {
    ...(type === null ? {} : { 'content-type': type }),
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** A whole number of the query. @param usual if it is absent @throws RangeError if it is none, or greater than `max` */
export function numberOf({ searchParams }: URL, name: string, usual: number, max: number): number {
  const text = searchParams.get(name);
  if (text === null) return usual;
  if (!/^\d{1,9}$/.test(text) || Number(text) > max)
    throw new RangeError(`${name} must be a whole number up to ${max}.`);
  return Number(text);
}
