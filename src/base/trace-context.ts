/** The headers that say which trace a request belongs to (W3C Trace Context, §3). They are never sent to targets. */
export const TRACE_HEADERS = ['traceparent', 'tracestate'] as const;

/** Those of a request, for a call of our own API in its name. @param headers names lower-case */
export function traceHeaders(
  headers: Readonly<NodeJS.Dict<string | string[]>>,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of TRACE_HEADERS) {
    const value = headers[name];
    if (value !== undefined) found[name] = String(value);
  }
  return found;
}
