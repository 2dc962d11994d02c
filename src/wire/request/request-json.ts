import { isSecretHeader, maskCookieHeader } from '../answer/mask-headers.ts';
import { isObject } from '../schema/build.ts';

export const MASK = '***';

type Body = Readonly<Record<string, unknown>>;

/** The request as the caller wrote it, secrets masked, as JSON text. The shape stays; only values are replaced. */
export function maskedRequest(body: Body): string {
  let masked: Record<string, unknown> | null = null;
  for (const name of Object.keys(body)) {
    const value = body[name];
    const better = maskedMember(name, value);
    if (better === value) continue;
    masked ??= { ...body };
    masked[name] = better;
  }
  return JSON.stringify(masked ?? body);
}

function maskedMember(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  switch (name) {
    case 'url':
      return maskUrl(value);
    case 'headers':
      return isObject(value) ? mapMembers(value, maskHeader) : value;
    case 'cookies':
      return maskCookies(value);
    case 'proxy':
      if (typeof value === 'string') return maskUrl(value);
      return isObject(value) ? mapMembers(value, maskProxyMember) : value;
    case 'page_actions':
      return Array.isArray(value) ? value.map(maskAction) : value;
    case 'scraper_options':
      return isObject(value) && value.storage_state ? { ...value, storage_state: MASK } : value;
    default:
      return value;
  }
}

function maskHeader(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => maskHeader(name, one));
  if (typeof value !== 'string') return value;
  const lower = name.toLowerCase();
  if (lower === 'cookie') return maskCookieHeader(value);
  return isSecretHeader(lower) ? MASK : value;
}

function maskCookies(cookies: unknown): unknown {
  if (isObject(cookies)) return mapMembers(cookies, () => MASK);
  if (!Array.isArray(cookies)) return cookies;
  return cookies.map((cookie: unknown) => {
    if (typeof cookie === 'string') return maskCookieHeader(cookie);
    return isObject(cookie) ? { ...cookie, value: MASK } : cookie;
  });
}

function maskProxyMember(name: string, value: unknown): unknown {
  if (name === 'password') return value === null ? null : MASK;
  return name === 'server' ? maskUrl(value) : value;
}

/** Fields whose selector says that what is written into them is a secret. */
const SECRET_FIELD = /pass|pwd|secret|token|otp|\bpin\b|_pin|cvv|cvc/i;

function maskAction(action: unknown): unknown {
  if (!isObject(action)) return action;
  const isSecret = SECRET_FIELD.test(JSON.stringify(action.selector ?? ''));
  return mapMembers(action, (name, value) => {
    if (name === 'url' || name === 'goto') return isObject(value) ? maskAction(value) : maskUrl(value);
    if ((name === 'if' || name === 'fill' || name === 'type') && isObject(value)) return maskAction(value);
    if (isSecret && (name === 'value' || name === 'text') && typeof value === 'string') return MASK;
    return (name === 'then' || name === 'else') && Array.isArray(value) ? value.map(maskAction) : value;
  });
}

/** User information is masked; a text that cannot be a URL is left out when it might have some. */
function maskUrl(value: unknown): unknown {
  if (typeof value !== 'string' || !value.includes('@')) return value;
  const url = URL.parse(value);
  if (url === null) return MASK;
  if (url.username === '' && url.password === '') return value;
  const withPassword = url.password !== '';
  url.username = MASK;
  url.password = withPassword ? MASK : '';
  return url.username === MASK ? url.href : MASK;
}

function mapMembers(source: Body, change: (name: string, value: unknown) => unknown): Body {
  return Object.fromEntries(Object.entries(source).map(([name, value]) => [name, change(name, value)]));
}
