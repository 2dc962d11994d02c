import type { Job } from '../../../../domain/job.ts';
import type { LinkedRequest } from './linked-request.ts';
import type { Outgoing } from './outgoing.ts';
import type { Paused } from './paused.ts';

/** What goes with the body (Fetch, "request-body-header name"). */
const OF_BODY = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

type Fields = { name: string; value: string }[];

/** What the caller adds to a request of theirs, for `Fetch.continueRequest`: to the redirects as well. */
export function callersPart(
  { request, redirectedRequestId }: Pick<Paused, 'request' | 'redirectedRequestId'>,
  job: Job,
  outgoing: Outgoing,
): { method?: string; headers?: Fields; postData?: string } {
  const { method, hasBody } = outgoing;
  // Fields that are given, even the browser's own, go out in another order than browsers have: sites look at that.
  const plain = job.headers.length === 0 && !hasBody;
  if (plain && (redirectedRequestId !== undefined || method === 'GET')) return {};
  const headers = withCallers(request.headers, job, outgoing);
  // The browser knows by itself what becomes of method and body.
  if (redirectedRequestId !== undefined) return { headers };
  if (!hasBody || job.body === null) return { method, headers };
  return { method, headers, postData: Buffer.from(job.body.bytes).toString('base64') };
}

export interface Credentials {
  readonly origin: string;
  /** `Basic …`. */
  readonly authorization: string;
}

/** What the credentials of a URL add to a request to its origin. */
export function credentialsPart(
  { request }: Pick<Paused, 'request'>,
  credentials: Credentials | null,
): { headers?: Fields } {
  if (credentials === null || new URL(request.url).origin !== credentials.origin) return {};
  const own = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
  return { headers: [...own, { name: 'Authorization', value: credentials.authorization }] };
}

/** Makes a request the POST that a window of the page was about to send. */
export function postPart(
  { request }: Pick<Paused, 'request'>,
  { headers, body }: LinkedRequest['post'] & object,
): { method: string; headers: Fields; postData: string } {
  const own = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
  return { method: 'POST', headers: [...own, ...headers], postData: body };
}

/** The browser's own fields, with the caller's in place of and beside them. It sends a name once only: values that repeat are joined. */
function withCallers(
  own: Readonly<Record<string, string>>,
  job: Job,
  { authorized, turned, hasBody }: Outgoing,
): Fields {
  const fields = new Map<string, { name: string; value: string }>();
  for (const [name, value] of Object.entries(own)) fields.set(name.toLowerCase(), { name, value });
  const callers = new Map<string, { name: string; value: string }>();
  for (const [name, value] of job.headers) {
    const lower = name.toLowerCase();
    if (lower === 'authorization' && !authorized) continue;
    if (OF_BODY.has(lower) && turned) continue;
    const before = callers.get(lower);
    callers.set(lower, before === undefined ? { name, value } : { name, value: `${before.value}, ${value}` });
  }
  for (const [lower, field] of callers) fields.set(lower, field);
  if (hasBody && job.body?.contentType != null && !callers.has('content-type'))
    fields.set('content-type', { name: 'Content-Type', value: job.body.contentType });
  return [...fields.values()];
}
