import { isObject } from '../../../domain/json-schema.ts';
import type { VendorCall, VendorRequest } from '../vendor-kind.ts';
import { ALL_METHODS, cookieHeader, headersOf } from './shared.ts';

/** The request to an API, as the operator describes it. Texts have placeholders such as `{url}`. */
export interface RequestTemplate {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object or a list is sent as JSON. A text is sent as its `Content-Type` says. */
  readonly body?: unknown;
}

type Value = string | number | boolean | Readonly<Record<string, string>> | null;

/** By name of the placeholder: its value in a call; null: the call has none. */
const PLACEHOLDERS: Readonly<Record<string, (call: VendorCall) => Value>> = {
  url: ({ task }) => task.url,
  method: ({ task }) => task.method,
  headers: ({ task }) => (Object.keys(headersOf(task)).length === 0 ? null : headersOf(task)),
  cookies: ({ task }) => cookieHeader(task),
  content_type: ({ task }) => contentTypeOf(headersOf(task)),
  body_base64: ({ task }) => (task.body === null ? null : Buffer.from(task.body.bytes).toString('base64')),
  country: ({ task }) => task.proxy.country,
  country_lower: ({ task }) => task.proxy.country?.toLowerCase() ?? null,
  session: ({ session }) => session,
  proxy_type: ({ proxyType }) => proxyType,
  follow_redirects: ({ task }) => task.allowRedirects,
  screenshot: ({ task }) => task.browser.screenshot,
  timeout_ms: ({ timeoutMs }) => timeoutMs,
  timeout_s: ({ timeoutMs }) => Math.ceil(timeoutMs / 1000),
  key: ({ settings }) => settings.key,
  /** For `Authorization: Basic`. */
  key_base64: ({ settings: { key } }) => (key === null ? null : Buffer.from(key).toString('base64')),
};
const contentTypeOf = (headers: Readonly<Record<string, string>>): string | null =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null;

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g;
const WHOLE = /^\{([a-z][a-z0-9_]*)\}$/;
/** As the whole body: the bytes of the request's body, as they are. */
const RAW_BODY = '{body}';

/** The texts of a template. */
function textsOf({ path = '', headers = {}, body }: RequestTemplate): readonly string[] {
  const texts = [path, ...Object.values(headers)];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(body);
  return texts;
}

/** Whether the template tells the API this about a request. */
export const mentions = (template: RequestTemplate, name: string): boolean =>
  textsOf(template).some((text) => text.includes(`{${name}}`));

/** What is wrong with a template; null: nothing. */
export function templateProblem(template: RequestTemplate): string | null {
  const { path = '', body, headers = {} } = template;
  if (path !== '' && !/^[/?]/.test(path)) return '`path` must begin with `/` or `?`';
  if (path.includes('#') || /[^\x21-\x7e]/.test(path))
    return '`path` must be visible ASCII characters without `#`';
  const badName = Object.keys(headers).find((name) => !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name));
  if (badName !== undefined) return '`headers` has a name that is none';
  if (body !== undefined && (template.method ?? 'GET') === 'GET')
    return '`body` needs the method POST or PUT';
  const texts = body === RAW_BODY ? textsOf({ ...template, body: undefined }) : textsOf(template);
  for (const text of texts)
    for (const [placeholder, name] of text.matchAll(PLACEHOLDER)) {
      if (placeholder === RAW_BODY)
        return '`{body}` must be the whole `body`; within one, use `{body_base64}`';
      if (!Object.hasOwn(PLACEHOLDERS, name!)) return `\`${placeholder}\` is no placeholder`;
      if (name === 'headers' && !isJsonPlace(text, body, template))
        return '`{headers}` must be the whole value of a member of a JSON body';
    }
  return mentions(template, 'url') ? null : '`{url}` is missing';
}

/** Whether this text of a template is a value of its JSON body, and only a placeholder. */
const isJsonPlace = (text: string, body: unknown, { path, headers = {} }: RequestTemplate): boolean =>
  typeof body === 'object' && WHOLE.test(text) && text !== path && !Object.values(headers).includes(text);

/** The methods of a page that the template can ask for. */
export function methodsOf(template: RequestTemplate) {
  if (!mentions(template, 'method')) return ['GET'] as const;
  const hasBody = template.body === RAW_BODY || mentions(template, 'body_base64');
  const hasType = mentions(template, 'headers') || mentions(template, 'content_type');
  return hasBody && hasType ? ALL_METHODS : (['GET', 'HEAD', 'OPTIONS'] as const);
}

/**
 * The request of a call. A parameter of the query or of a form, a header, a member or an item of JSON whose text has a placeholder
 * without value is left out.
 */
export function fillTemplate(template: RequestTemplate, call: VendorCall): VendorRequest {
  const { method = 'GET', path = '', body } = template;
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(template.headers ?? {})) {
    const value = fill(text, call, String);
    if (value !== null) headers[name.toLowerCase()] = value;
  }
  const [start, query] = splitAt(path, '?');
  const parameters = query === null ? '' : fillParameters(query, call);
  const filled = {
    method,
    path: `${fill(start, call, encodeURIComponent, '')}${parameters === '' ? '' : `?${parameters}`}`,
    headers,
  };
  if (body === undefined) return { ...filled, body: null };
  if (body === RAW_BODY) return { ...filled, body: call.task.body?.bytes ?? null };
  if (typeof body === 'string')
    return { ...filled, body: fillText(body, headers['content-type'] ?? '', call) };
  headers['content-type'] ??= 'application/json';
  return { ...filled, body: JSON.stringify(fillJson(body, call)) };
}

function splitAt(text: string, mark: string): readonly [string, string | null] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

const fillParameters = (text: string, call: VendorCall): string =>
  text
    .split('&')
    .map((parameter) => fill(parameter, call, encodeURIComponent))
    .filter((parameter) => parameter !== null)
    .join('&');

/** A body that the operator wrote as text. A placeholder without value is empty, except in a form. */
function fillText(text: string, type: string, call: VendorCall): string {
  if (/^application\/x-www-form-urlencoded/i.test(type)) return fillParameters(text, call);
  const escaped = /json/i.test(type) ? (value: string) => JSON.stringify(value).slice(1, -1) : String;
  return fill(text, call, escaped, '') ?? '';
}

/** null: a placeholder of the text has no value, and there is no `otherwise`. */
function fill(
  text: string,
  call: VendorCall,
  escaped: (value: string) => string,
  otherwise: string | null = null,
): string | null {
  let isComplete = true;
  const filled = text.replace(PLACEHOLDER, (_all, name: string) => {
    const value = PLACEHOLDERS[name]!(call);
    if (value === null) isComplete = false;
    return value === null ? (otherwise ?? '') : escaped(String(value));
  });
  return isComplete || otherwise !== null ? filled : null;
}

/** undefined: it is left out. A text that is only a placeholder becomes its value, also a number, a boolean or an object. */
function fillJson(value: unknown, call: VendorCall): unknown {
  if (typeof value === 'string') {
    const name = WHOLE.exec(value)?.[1];
    return (name === undefined ? fill(value, call, String) : PLACEHOLDERS[name]!(call)) ?? undefined;
  }
  if (Array.isArray(value)) return value.map((one) => fillJson(one, call)).filter((one) => one !== undefined);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillJson(one, call)]));
}
