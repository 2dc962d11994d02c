import { shellQuote } from '../../../../../src/snippets/quoting.ts';
import type { Snippet } from '../../../../../src/snippets/snippet.ts';
import { isObject, type Json, type JsonObject, pointerOf } from '../model/json.ts';

/** Members that need a result which a proxied response has no place for. */
const NO_PLACE: Readonly<Record<string, readonly string[]>> = {
  scraper_options: [
    'content_encoding',
    'return_content',
    'formats',
    'extract',
    'json',
    'markdown',
    'main_content',
    'only_main_content',
    'screenshot',
    'pdf',
    'capture',
  ],
  router: ['dry_run', 'webhook', 'compare_to'],
};

const OF_LIBRARIES = /^(?:user-agent|accept-encoding)$/i;

/** The port in the code. */
export const EXAMPLE_PORT = 8081;

interface Body {
  readonly text: string;
  readonly type: string;
}

/**
 * The request as a curl command that goes through the proxy port, whose number the dashboard does not know. What curl itself
 * does (method, headers, cookies, body) is options of curl; all else is the password of the proxy, as JSON.
 */
export function proxyPortCommand(baseUrl: string, request: JsonObject): Snippet {
  const {
    url,
    method = 'GET',
    headers = {},
    query,
    data = null,
    cookies = {},
    screenshot,
    ...rest
  } = request;
  if (typeof url !== 'string') return { code: null, missing: ['/url'] };
  const missing: string[] = [];
  const members = { ...rest } as Record<string, Json>;
  if (typeof members.router === 'string') members.router = { sort: members.router };
  for (const [object, names] of Object.entries(NO_PLACE)) {
    const value = members[object];
    if (!isObject(value)) continue;
    const kept = Object.entries(value).filter(([name]) => !names.includes(name));
    missing.push(...names.filter((name) => Object.hasOwn(value, name)).map((name) => `/${object}/${name}`));
    if (kept.length === 0) delete members[object];
    else members[object] = Object.fromEntries(kept) as JsonObject;
  }
  if (screenshot === true) missing.push('/screenshot');
  const target = withQuery(url, query);
  if (target === null) missing.push('/query');
  const named = headerFields(headers);
  if (named === null) missing.push('/headers');
  // The port takes them for what a library adds by itself, except with the scraper `http`.
  const lost = members.scraper === 'http' ? [] : (named ?? []).filter(([name]) => OF_LIBRARIES.test(name));
  missing.push(...lost.map(([name]) => pointerOf(['headers', name])));
  const fields = named?.filter((field) => !lost.includes(field)) ?? [];
  const cookie = cookieText(cookies);
  if (cookie === null) missing.push('/cookies');
  const body = bodyOf(data, fields);
  if (body === null && data !== null) missing.push('/data');
  // The defaults of the port are those of a plain proxy.
  const options = {
    ...members,
    scraper: members.scraper ?? 'auto',
    allow_redirects: members.allow_redirects ?? true,
  };
  const verb = String(method).toUpperCase();
  const secure = url.startsWith('https:');
  const lines = [
    `curl -sS -g ${shellQuote(target ?? url)}`,
    `--proxy http://${new URL(baseUrl).hostname}:${EXAMPLE_PORT}`,
    `--proxy-user "$SLUICE_KEY":${shellQuote(JSON.stringify(options))}`,
    ...(secure ? ['--cacert sluice-ca.pem'] : []),
    ...(verb === 'HEAD' ? ['--head'] : verb === 'GET' && body === null ? [] : [`-X ${verb}`]),
    ...curlHeaders(fields, body),
    ...(cookie === null || cookie === '' ? [] : [`-H ${shellQuote(`Cookie: ${cookie}`)}`]),
    ...(body === null ? [] : [`--data-raw ${shellQuote(body.text)}`]),
  ];
  const authority = secure
    ? `curl -sS -o sluice-ca.pem ${shellQuote(`${baseUrl}/api/v1/proxy-ca.pem`)}\n`
    : '';
  return { code: authority + lines.join(' \\\n  '), missing };
}

type Fields = readonly (readonly [name: string, value: string])[];

/** curl adds `User-Agent` and `Accept` by itself; the request does not have them unless it names them. */
function curlHeaders(fields: Fields, body: Body | null): readonly string[] {
  const given = new Set(fields.map(([name]) => name.toLowerCase()));
  const type: Fields = body === null || given.has('content-type') ? [] : [['Content-Type', body.type]];
  const dropped = ['User-Agent', 'Accept'].filter((name) => !given.has(name.toLowerCase()));
  return [
    ...[...fields, ...type].map(
      ([name, value]) => `-H ${shellQuote(value === '' ? `${name};` : `${name}: ${value}`)}`,
    ),
    ...dropped.map((name) => `-H '${name}:'`),
  ];
}

function headerFields(headers: Json): Fields | null {
  if (!isObject(headers)) return null;
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((text) => [name, text] as const),
  );
  return fields.every(([, value]) => typeof value === 'string') ? (fields as unknown as Fields) : null;
}

function cookieText(cookies: Json): string | null {
  if (!isObject(cookies)) return null;
  const pairs = Object.entries(cookies);
  if (pairs.some(([, value]) => typeof value !== 'string')) return null;
  return pairs.map(([name, value]) => `${name}=${value}`).join('; ');
}

/** The URL with the query of the request, as the service adds it. */
function withQuery(url: string, query: Json | undefined): string | null {
  if (query === undefined || query === null) return url;
  if (!isObject(query)) return null;
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  );
  if (pairs.some(([, value]) => typeof value === 'object' && value !== null)) return null;
  const text = pairs
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
  const [, address = url, fragment = ''] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  return text === '' ? url : `${address}${address.includes('?') ? '&' : '?'}${text}${fragment}`;
}

/** The body as text; null: there is none, or curl would need a file for it. */
function bodyOf(data: Json, headers: Fields): Body | null {
  if (data === null) return null;
  const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
  // The service guesses the type of a text that has none.
  if (typeof data === 'string') return hasType ? { text: data, type: '' } : null;
  const jsonBody = (value: Json) => ({ text: JSON.stringify(value), type: 'application/json' });
  if (!isObject(data)) return jsonBody(data);
  if (Object.hasOwn(data, '$json')) return jsonBody(data.$json!);
  if (typeof data.$raw === 'string' && (hasType || typeof data.content_type === 'string'))
    return { text: data.$raw, type: String(data.content_type ?? '') };
  if (isObject(data.$form)) {
    const pairs = Object.entries(data.$form).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => (one === null ? [] : [[name, String(one)]])),
    );
    return { text: String(new URLSearchParams(pairs)), type: 'application/x-www-form-urlencoded' };
  }
  return Object.keys(data).some((name) => name.startsWith('$')) ? null : jsonBody(data);
}
