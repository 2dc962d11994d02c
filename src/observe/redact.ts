const HIDDEN = '[redacted]';

const KEY = /slc_live_([0-9A-Za-z]{12})[0-9A-Za-z]+/g;
/** `user:password@` of a URL: the last @ before the path ends it. */
const CREDENTIALS = /(:\/\/)[^\s/?#"']*@/g;

/** A text without what must not stand in a log: API keys of our making and credentials in URLs. */
export function scrubText(text: string): string {
  const clean = text.includes('slc_live_') ? text.replace(KEY, `slc_live_$1${HIDDEN}`) : text;
  return clean.includes('@') ? clean.replace(CREDENTIALS, `$1${HIDDEN}@`) : clean;
}

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
]);

/** Header fields (an object, or a list of pairs) with the values of secret ones hidden. */
export function redactHeaders(headers: unknown): unknown {
  if (Array.isArray(headers)) {
    return headers.map((pair) =>
      Array.isArray(pair) ? [pair[0], hideIfSecret(String(pair[0]), pair[1])] : HIDDEN,
    );
  }
  if (typeof headers !== 'object' || headers === null) return HIDDEN;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, hideIfSecret(name, value)]),
  );
}

function hideIfSecret(name: string, value: unknown): unknown {
  return SECRET_HEADERS.has(name.toLowerCase())
    ? HIDDEN
    : typeof value === 'string'
      ? scrubText(value)
      : value;
}

/** What may be told of an error, with up to three causes: nothing but name, code, message and stack. */
export function describeError(error: unknown, depth = 3): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? scrubText(error) : HIDDEN;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: scrubText(error.message),
    stack: scrubText(error.stack ?? ''),
    ...(error.cause !== undefined && depth > 0 ? { cause: describeError(error.cause, depth - 1) } : {}),
  };
}

const hide = (): string => HIDDEN;

/** By the name of the member; the logger applies them, so that no caller has to think of it. */
export const SERIALIZERS: Readonly<Record<string, (value: never) => unknown>> = {
  authorization: hide,
  cookie: hide,
  cookies: hide,
  set_cookie: hide,
  key: hide,
  api_key: hide,
  password: hide,
  secret: hide,
  token: hide,
  headers: redactHeaders,
  request_headers: redactHeaders,
  err: (error: unknown) => describeError(error),
  error: (error: unknown) => describeError(error),
  url: (url: unknown) => scrubText(String(url)),
  msg: (text: unknown) => (typeof text === 'string' ? scrubText(text) : text),
};
