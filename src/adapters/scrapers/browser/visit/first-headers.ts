import type { Job } from '../../../../domain/job.ts';

/** What goes with the body (Fetch, "request-body-header name"). */
const OF_BODY = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);

/**
 * The header fields of a navigation: the browser's own, with the caller's in place of and beside them. The browser
 * sends a name once only: values that repeat are joined.
 * @param own what the browser would send
 * @param keepsOrigin false: a redirect led to another origin, where the caller's credentials do not go
 * @param hasBody false: a redirect made it a request without a body
 */
export function withCallers(
  own: Readonly<Record<string, string>>,
  job: Job,
  { keepsOrigin, hasBody }: { keepsOrigin: boolean; hasBody: boolean },
): { name: string; value: string }[] {
  const fields = new Map<string, { name: string; value: string }>();
  for (const [name, value] of Object.entries(own)) fields.set(name.toLowerCase(), { name, value });
  const callers = new Map<string, { name: string; value: string }>();
  for (const [name, value] of job.headers) {
    const lower = name.toLowerCase();
    if (lower === 'authorization' && !keepsOrigin) continue;
    if (OF_BODY.has(lower) && !hasBody && job.body !== null) continue;
    const before = callers.get(lower);
    callers.set(lower, before === undefined ? { name, value } : { name, value: `${before.value}, ${value}` });
  }
  for (const [lower, field] of callers) fields.set(lower, field);
  if (hasBody && job.body?.contentType != null && !callers.has('content-type'))
    fields.set('content-type', { name: 'Content-Type', value: job.body.contentType });
  return [...fields.values()];
}
