import { isObject } from '../../domain/json-schema.ts';
import { SECRET_OPTIONS } from '../../domain/scraper-options.ts';
import { isSecretHeader, maskCookieHeader } from '../answer/headers-json.ts';
import { normaliseProxyUrl } from '../proxy-url.ts';
import { normaliseAction } from './page-action-shorthand.ts';

export const MASK = '***';

type Body = Readonly<Record<string, unknown>>;

/** The request as the caller wrote it, as JSON text with masked secrets. Only values are replaced. */
export function maskedRequestJson(body: Body): string {
  let masked: Record<string, unknown> | null = null;
  for (const name of Object.keys(body)) {
    const value = body[name];
    const better = maskMember(name, value);
    if (better === value) continue;
    masked ??= { ...body };
    masked[name] = better;
  }
  return JSON.stringify(masked ?? body);
}

function maskMember(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  switch (name) {
    case 'url':
      return maskUrl(value);
    case 'headers':
      return isObject(value) ? mapMembers(value, maskHeader) : value;
    case 'cookies':
      return maskCookies(value);
    case 'proxy':
      if (typeof value === 'string') return maskProxyMember('server', value);
      return isObject(value) ? mapMembers(value, maskProxyMember) : value;
    case 'page_actions':
      return Array.isArray(value) ? maskActions(value) : value;
    case 'scraper_options':
      return isObject(value) ? maskOptions(value) : value;
    default:
      return value;
  }
}

function maskOptions(options: Body): Body {
  if (!SECRET_OPTIONS.some((name) => options[name])) return options;
  return mapMembers(options, (name, value) => (value && SECRET_OPTIONS.includes(name) ? MASK : value));
}

function maskHeader(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => maskHeader(name, item));
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
  if (name !== 'server' || typeof value !== 'string') return value;
  const url = normaliseProxyUrl(value);
  if (!url.includes('@')) return value;
  // Without a scheme it is http. `user:password@host` alone would be a URL of the scheme `user`.
  return maskUrl(url.includes('://') ? url : `http://${url}`);
}

/** Selectors of fields that secrets are written into. */
const SECRET_FIELD = /pass|pwd|\bpw\b|_pw|kennwort|contrase|senha|secret|token|otp|\bpin\b|_pin|cvv|cvc/i;

/** What has the focus, as far as the actions tell: a field for a secret, or another element; null: unknown. */
type Focus = 'secret' | 'plain' | null;

function maskActions(actions: readonly unknown[], before: Focus = null): readonly unknown[] {
  let focus = before;
  return actions.map((action) => {
    const masked = maskAction(action, focus);
    focus = focusAfter(action, focus);
    return masked;
  });
}

function maskAction(action: unknown, focus: Focus): unknown {
  if (!isObject(action)) return action;
  const own = focusOf(action.selector);
  return mapMembers(action, (name, value) => {
    if (name === 'url' || name === 'goto') return isObject(value) ? maskAction(value, focus) : maskUrl(value);
    if ((name === 'if' || name === 'fill' || name === 'type') && isObject(value))
      return maskAction(value, focus);
    if (name === 'value' && typeof value === 'string') return own === 'secret' ? MASK : value;
    // Without a selector, the text goes into the focused element, which may be a password field.
    if (name === 'text' && typeof value === 'string') return (own ?? focus) === 'plain' ? value : MASK;
    return (name === 'then' || name === 'else') && Array.isArray(value) ? maskActions(value, focus) : value;
  });
}

function focusOf(selector: unknown): Focus {
  if (selector === undefined || selector === null) return null;
  return SECRET_FIELD.test(JSON.stringify(selector)) ? 'secret' : 'plain';
}

/** Actions that do not move the focus. Keys, scripts and other pages may. */
const FOCUS_KEEPING_ACTIONS: ReadonlySet<unknown> = new Set([
  'wait',
  'wait_for_selector',
  'screenshot',
  'extract',
  'scroll',
]);

function focusAfter(action: unknown, before: Focus): Focus {
  const full = normaliseAction(action);
  if (!isObject(full)) return before;
  const { type, selector } = full;
  if (type === 'type') return focusOf(selector) ?? before;
  if (type === 'click' || type === 'fill') return focusOf(selector);
  return FOCUS_KEEPING_ACTIONS.has(type) ? before : null;
}

/** Masks user information. A text with `@` that is not a URL is masked as a whole. */
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
