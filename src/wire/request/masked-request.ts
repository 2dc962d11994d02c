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
    const maskedValue = maskMember(name, value);
    if (maskedValue === value) continue;
    masked ??= { ...body };
    masked[name] = maskedValue;
  }
  return JSON.stringify(masked ?? body);
}

function maskMember(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  switch (name) {
    case 'url':
      return maskUrl(value);
    case 'headers':
      if (Array.isArray(value)) return value.map(maskHeaderEntry);
      return isObject(value) ? mapMembers(value, maskHeader) : value;
    case 'cookies':
      return maskCookies(value);
    case 'proxy':
      if (typeof value === 'string') return maskProxyMember('server', value);
      return isObject(value) ? mapMembers(value, maskProxyMember) : value;
    case 'page_actions':
      return Array.isArray(value) ? maskActions(value) : value;
    case 'webhook':
      return isObject(value) ? maskWebhook(value) : value;
    case 'router':
      return isObject(value) && isObject(value.webhook)
        ? { ...value, webhook: maskWebhook(value.webhook) }
        : value;
    case 'scraper_options':
      return isObject(value) ? maskOptions(value) : value;
    default:
      return value;
  }
}

/** A webhook, with the values of its headers masked: most are secrets. */
export function maskWebhook(webhook: Body): Body {
  const { headers } = webhook;
  return isObject(headers) ? { ...webhook, headers: mapMembers(headers, () => MASK) } : webhook;
}

function maskOptions(options: Body): Body {
  if (!SECRET_OPTIONS.some((name) => options[name])) return options;
  return mapMembers(options, (name, value) => (value && SECRET_OPTIONS.includes(name) ? MASK : value));
}

function maskHeader(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => maskHeader(name, item));
  if (value === null) return value;
  const lower = name.toLowerCase();
  if (lower === 'cookie') return maskCookieHeader(String(value));
  return isSecretHeader(lower) ? MASK : value;
}

/** `[name, value]`, `{name, value}` or `"Name: value"`. */
function maskHeaderEntry(entry: unknown): unknown {
  if (Array.isArray(entry))
    return [entry[0], ...entry.slice(1).map((value) => maskHeader(String(entry[0]), value))];
  if (isObject(entry)) return { ...entry, value: maskHeader(String(entry.name), entry.value) };
  if (typeof entry !== 'string') return entry;
  const end = entry.indexOf(':');
  // Such a request is refused; what it holds is not known.
  if (end === -1) return MASK;
  const name = entry.slice(0, end).trim();
  return `${entry.slice(0, end)}: ${maskHeader(name, entry.slice(end + 1).trim())}`;
}

function maskCookies(cookies: unknown): unknown {
  if (isObject(cookies)) return mapMembers(cookies, () => MASK);
  if (!Array.isArray(cookies)) return cookies;
  return cookies.map((cookie: unknown) => {
    if (typeof cookie === 'string') return maskCookieHeader(cookie);
    if (Array.isArray(cookie)) return [cookie[0], ...cookie.slice(1).map(() => MASK)];
    return isObject(cookie) ? { ...cookie, value: MASK } : cookie;
  });
}

function maskProxyMember(name: string, value: unknown): unknown {
  if (name === 'password') return value === null ? null : MASK;
  if (name !== 'server' || typeof value !== 'string') return value;
  const url = normaliseProxyUrl(value);
  if (!url.includes('@')) return value;
  // Without a scheme, the URL parser would read `user:` of `user:password@host` as the scheme.
  return maskUrl(url.includes('://') ? url : `http://${url}`);
}

/** Matches selectors of fields for secrets, such as passwords and card codes. */
const SECRET_FIELD = /pass|pwd|\bpw\b|_pw|kennwort|contrase|senha|secret|token|otp|\bpin\b|_pin|cvv|cvc/i;

/** What kind of element has the focus, as far as the actions show: a field for a secret, or another; null: unknown. */
type Focus = 'secret' | 'plain' | null;

function maskActions(actions: readonly unknown[], initialFocus: Focus = null): readonly unknown[] {
  let focus = initialFocus;
  return actions.map((action) => {
    const masked = maskAction(action, focus);
    focus = focusAfter(action, focus);
    return masked;
  });
}

function maskAction(action: unknown, focus: Focus): unknown {
  if (!isObject(action)) return action;
  const selected = elementKind(action.selector);
  return mapMembers(action, (name, value) => {
    if (name === 'url' || name === 'goto') return isObject(value) ? maskAction(value, focus) : maskUrl(value);
    if ((name === 'if' || name === 'fill' || name === 'type') && isObject(value))
      return maskAction(value, focus);
    if (name === 'value' && typeof value === 'string') return selected === 'secret' ? MASK : value;
    // Without a selector, the text goes into the focused element, which may be a password field.
    if (name === 'text' && typeof value === 'string') return (selected ?? focus) === 'plain' ? value : MASK;
    return (name === 'then' || name === 'else') && Array.isArray(value) ? maskActions(value, focus) : value;
  });
}

/** The kind of element that a selector finds. */
function elementKind(selector: unknown): Focus {
  if (selector === undefined || selector === null) return null;
  return SECRET_FIELD.test(JSON.stringify(selector)) ? 'secret' : 'plain';
}

/** Actions that do not move the focus. Others may, such as keys, scripts and navigations. */
const FOCUS_KEEPING_ACTIONS: ReadonlySet<unknown> = new Set([
  'wait',
  'wait_for_selector',
  'screenshot',
  'extract',
  'scroll',
]);

function focusAfter(action: unknown, focusBefore: Focus): Focus {
  const normalised = normaliseAction(action);
  if (!isObject(normalised)) return focusBefore;
  const { type, selector } = normalised;
  if (type === 'type') return elementKind(selector) ?? focusBefore;
  if (type === 'click' || type === 'fill') return elementKind(selector);
  return FOCUS_KEEPING_ACTIONS.has(type) ? focusBefore : null;
}

/** Masks the userinfo of a URL. A text with `@` that is not a URL is masked as a whole. */
function maskUrl(value: unknown): unknown {
  if (typeof value !== 'string' || !value.includes('@')) return value;
  const url = URL.parse(value);
  if (url === null) return MASK;
  if (url.username === '' && url.password === '') return value;
  const withPassword = url.password !== '';
  url.username = MASK;
  url.password = withPassword ? MASK : '';
  // URLs without a host, such as `mailto:`, ignore the assignment.
  return url.username === MASK ? url.href : MASK;
}

function mapMembers(source: Body, change: (name: string, value: unknown) => unknown): Body {
  return Object.fromEntries(Object.entries(source).map(([name, value]) => [name, change(name, value)]));
}
