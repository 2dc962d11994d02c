import { isObject } from '../../domain/json-schema.ts';
import { SECRET_OPTIONS } from '../../domain/scraper-options.ts';
import { isSecretHeader, maskCookieHeader } from '../answer/headers-json.ts';
import { normaliseProxyUrl } from '../proxy-url.ts';
import { mapIfChanged } from '../schema/json-value.ts';
import { normaliseAction } from './page-action-shorthand.ts';
import { isSecretName } from './secret-names.ts';

export const MASK = '***';

type Body = Readonly<Record<string, unknown>>;

/**
 * The actions that typed into fields of which a browser says that they are not for secrets, as pointers (RFC 6901);
 * `by_selector`: no browser will tell, and what the caller types is to be kept as far as its selector names no secret.
 */
export type PlainFields = readonly string[] | 'by_selector';
const NONE_KNOWN: PlainFields = [];

/**
 * The request as the caller wrote it, as JSON text with masked secrets. Only values are replaced. What `fill` and `type` write is
 * masked, but for `plainFields`.
 */
export function maskedRequestJson(body: Body, plainFields: PlainFields = NONE_KNOWN): string {
  let masked: Record<string, unknown> | null = null;
  for (const name of Object.keys(body)) {
    const value = body[name];
    const maskedValue = maskMember(name, value, plainFields);
    if (maskedValue === value) continue;
    masked ??= { ...body };
    masked[name] = maskedValue;
  }
  return JSON.stringify(masked ?? body);
}

function maskMember(name: string, value: unknown, plainFields: PlainFields): unknown {
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
      return Array.isArray(value) ? maskActions(value, '/page_actions', plainFields) : value;
    case 'data':
      return maskData(value);
    case 'query':
      return maskPairs(value);
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

function maskActions(actions: readonly unknown[], pointer: string, plain: PlainFields): readonly unknown[] {
  return actions.map((action, index) => maskAction(action, `${pointer}/${index}`, plain));
}

/** @param pointer of the action, whose members a shorthand has one level deeper */
function maskAction(action: unknown, pointer: string, plain: PlainFields): unknown {
  if (!isObject(action)) return action;
  const { type, selector } = normaliseAction(action) as Body;
  const keepsText =
    plain === 'by_selector'
      ? selector !== undefined && !isSecretName(JSON.stringify(selector))
      : plain.includes(pointer);
  return mapMembers(action, (name, value) => {
    if (name === 'url' || name === 'goto')
      return isObject(value) ? maskAction(value, pointer, plain) : maskUrl(value);
    if ((name === 'if' || name === 'fill' || name === 'type') && isObject(value))
      return maskMembersOf(name, value, pointer, plain);
    const isTyped = (name === 'value' && type === 'fill') || (name === 'text' && type === 'type');
    if (isTyped && typeof value === 'string') return keepsText ? value : MASK;
    return (name === 'then' || name === 'else') && Array.isArray(value)
      ? maskActions(value, `${pointer}/${name}`, plain)
      : value;
  });
}

/** The value of a shorthand, such as `{selector, value}` of `{"fill": …}`. */
const maskMembersOf = (type: string, members: Body, pointer: string, plain: PlainFields): unknown => {
  const { type: _, ...masked } = maskAction({ ...members, type }, pointer, plain) as Record<string, unknown>;
  return masked;
};

/** Members of a body whose names are those of secrets: of JSON, forms, `multipart/form-data` and XML, also in forced forms. */
function maskData(data: unknown): unknown {
  if (typeof data === 'string') return maskText(data);
  if (!isObject(data)) return maskTree(data);
  const { $raw: raw, $base64: base64 } = data;
  if (typeof raw === 'string') return { ...data, $raw: maskText(raw) };
  if (typeof base64 !== 'string') return maskTree(data);
  const text = Buffer.from(base64, 'base64').toString('latin1');
  return maskText(text) === text ? data : { ...data, $base64: MASK };
}

/** A longer text is masked as a whole: looking for names in it would hold up other callers. */
const MAX_TEXT_LENGTH = 256 * 1024;

const maskText = (text: string): string =>
  text.length > MAX_TEXT_LENGTH ? MASK : maskMarkup(maskParts(maskForm(maskJsonText(text))));

/** Members of JSON, without parsing it: it may be of any depth, and its numbers stay as written. */
const maskJsonText = (text: string): string =>
  text.replaceAll(
    /("((?:[^"\\]|\\.){1,200})"\s{0,20}:\s{0,20})(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/g,
    (member, head: string, name: string) => (isSecretName(name) ? `${head}"${MASK}"` : member),
  );

/** Names and values of a form, or of the query of a URL. */
const maskForm = (text: string): string =>
  text.replaceAll(/(^|[&\s])([^=&\s]{1,200})=([^&\s]+)/g, (pair, before: string, name: string) =>
    isSecretName(decoded(name)) ? `${before}${name}=${MASK}` : pair,
  );

/** Parts of `multipart/form-data` (RFC 7578). */
const maskParts = (text: string): string =>
  text.includes('name="')
    ? text
        .split(/(?=\r?\n--)/)
        .map(maskPart)
        .join('')
    : text;

function maskPart(part: string): string {
  const [blankLine] = /\r?\n\r?\n/.exec(part) ?? [];
  if (blankLine === undefined) return part;
  const head = part.slice(0, part.indexOf(blankLine));
  const name = /\bname="([^"\r\n]{1,200})"/.exec(head)?.[1];
  return name !== undefined && isSecretName(name) ? head + blankLine + MASK : part;
}

/** Elements of XML, such as those of SOAP. */
const maskMarkup = (text: string): string =>
  text.replaceAll(
    /<([\w:.-]{1,200})((?:\s[^<>]{0,500})?)>([^<>]{1,10000})<\/\1>/g,
    (element, name: string, attributes: string) =>
      isSecretName(name) ? `<${name}${attributes}>${MASK}</${name}>` : element,
  );

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/**
 * Masks members by their names, also of lists of `[name, value]` and `{name, value}`. A body may have 300,000 members, so it
 * makes nothing for those that stay. @returns the same object if nothing changes
 */
function maskTree(value: unknown): unknown {
  if (Array.isArray(value)) return maskList(value);
  return isObject(value) ? maskMembers(value) : value;
}

function maskList(list: readonly unknown[]): readonly unknown[] {
  const [name, text] = list;
  const isPair = list.length === 2 && typeof name === 'string' && isScalar(text);
  if (isPair) return isSecretName(name) ? [name, MASK] : list;
  return mapIfChanged(list, maskTree);
}

function maskMembers(members: Body): Body {
  const isNamed = typeof members.name === 'string' && isSecretName(members.name);
  let masked: Record<string, unknown> | null = null;
  for (const name of Object.keys(members)) {
    const member = members[name];
    // What a member that is no scalar is called does not matter.
    const isSecret =
      isScalar(member) && ((isNamed && (name === 'value' || name === 'base64')) || isSecretName(name));
    const changed = isSecret ? MASK : maskTree(member);
    if (changed === member) continue;
    masked ??= { ...members };
    masked[name] = changed;
  }
  return masked ?? members;
}

const isScalar = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

/** `query` in each of its shapes: an object, `[name, value]`, `{name, value}` or `"name=value"`. */
function maskPairs(query: unknown): unknown {
  if (isObject(query))
    return mapMembers(query, (name, value) =>
      isSecretName(name) && value !== null ? (Array.isArray(value) ? value.map(() => MASK) : MASK) : value,
    );
  if (!Array.isArray(query)) return typeof query === 'string' ? maskForm(query) : query;
  return query.map((pair: unknown) => {
    if (typeof pair === 'string') return maskForm(pair);
    if (Array.isArray(pair)) return isSecretName(String(pair[0])) ? [pair[0], MASK] : pair;
    return isObject(pair) && isSecretName(String(pair.name)) ? { ...pair, value: MASK } : pair;
  });
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
