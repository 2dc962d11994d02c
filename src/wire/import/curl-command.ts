import { isUtf8 } from 'node:buffer';
import { forbiddenHeaderReason } from '../request/headers.ts';
import { cmdWords, isForCmd } from './cmd-words.ts';
import { CURL_LETTERS, CURL_OPTIONS, type CurlEffect } from './curl-options.ts';
import { shellWords } from './shell-words.ts';

/** A scrape request that was made from something else. */
export interface ImportedRequest {
  /** The members of the body of `POST /api/v1/scrape/`. */
  readonly request: Readonly<Record<string, unknown>>;
  /** What has no effect on the request, as it was written. */
  readonly ignored: readonly string[];
}

/** Why something cannot become a scrape request, for people; continues a sentence that begins with its name. */
export interface ImportProblem {
  readonly problem: string;
}

/** Contents of the files that the command names with `@`, by these names. */
export interface ImportFiles {
  get(name: string): Uint8Array | undefined;
}

interface Given {
  readonly effect: CurlEffect;
  readonly value: string;
}

/** One part of a form, as in `data` of a scrape request. */
type FormPart = Readonly<
  Record<'name' | 'value' | 'base64' | 'filename' | 'content_type', string | undefined>
>;

class Untranslatable extends Error {}

/**
 * Translates a curl command, so that the scraper `http` sends what curl would, but for the headers that each adds by itself.
 * @param line as it is typed into a POSIX shell, or into cmd.exe of Windows
 */
export function importCurl(line: string, files: ImportFiles): ImportedRequest | ImportProblem {
  const words = isForCmd(line) ? cmdWords(line) : shellWords(line);
  if ('problem' in words) return { problem: `contains ${words.problem}` };
  return importCurlWords(words[0] === '$' ? words.slice(1) : words, files);
}

/** The same for a command that a shell has split into words already. */
export function importCurlWords(
  [command, ...args]: readonly string[],
  files: ImportFiles,
): ImportedRequest | ImportProblem {
  if (command === undefined || !/(?:^|\/)curl(?:\.exe)?$/.test(command))
    return { problem: 'must begin with `curl`' };
  try {
    return translate(readArguments(args), files);
  } catch (error) {
    if (error instanceof Untranslatable) return { problem: error.message };
    throw error;
  }
}

/** Options with their values, in order. Letters may be joined (`-sSL`), and their value may follow at once (`-XPOST`). */
function readArguments(args: readonly string[]): { given: readonly Given[]; ignored: readonly string[] } {
  const given: Given[] = [];
  const ignored: string[] = [];
  const queue = [...args];
  let onlyUrls = false;
  const take = (name: string, written: string, attached: string | null): void => {
    const option = CURL_OPTIONS[name];
    if (option === undefined)
      throw new Untranslatable(`has the option \`${written}\`, which a scrape request cannot do`);
    const value = option.takesValue ? (attached ?? queue.shift()) : '';
    if (value === undefined) throw new Untranslatable(`lacks the value of \`${written}\``);
    if (option.effect === 'nothing') ignored.push(option.takesValue ? `${written} ${value}` : written);
    else given.push({ effect: option.effect, value });
  };
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (arg === '--' && !onlyUrls) onlyUrls = true;
    else if (onlyUrls || !arg.startsWith('-') || arg === '-') given.push({ effect: 'url', value: arg });
    else if (arg.startsWith('--')) take(longName(arg.slice(2)), arg, null);
    else
      for (let at = 1; at < arg.length; at++) {
        const letter = arg[at]!;
        const name = CURL_LETTERS[letter] ?? letter;
        const rest = CURL_OPTIONS[name]?.takesValue && at + 1 < arg.length ? arg.slice(at + 1) : null;
        take(name, `-${letter}`, rest);
        if (rest !== null) break;
      }
  }
  return { given, ignored };
}

/** curl takes the beginning of a long name where only one option begins with it. */
function longName(name: string): string {
  if (CURL_OPTIONS[name] !== undefined) return name;
  const [only, ...others] = Object.keys(CURL_OPTIONS).filter((known) => known.startsWith(name));
  return only !== undefined && others.length === 0 ? only : name;
}

function translate(
  { given, ignored }: { given: readonly Given[]; ignored: readonly string[] },
  files: ImportFiles,
): ImportedRequest {
  const all = (effect: CurlEffect) => given.filter((one) => one.effect === effect).map(({ value }) => value);
  const last = (effect: CurlEffect) => all(effect).at(-1);
  const has = (effect: CurlEffect) => all(effect).length > 0;
  const dropped: string[] = [];
  const body = bodyOf(given, files);
  const url = urlOf(all('url'), has('globoff'));
  const queries = [
    ...all('url_query').map((text) => queryText(text, files)),
    ...(has('get') && body?.text ? [body.text] : []),
  ];
  const inQuery = has('get') || has('head');
  if (has('head') && !has('get') && body !== null)
    throw new Untranslatable('has both `-I` and a body; curl refuses that, too');
  const sent = inQuery ? null : body;
  const headers = headersOf(given, sent?.contentType ?? null, dropped);
  const method = last('method') ?? (has('head') ? 'HEAD' : (sent?.method ?? 'GET'));
  const maxRedirects = last('max_redirects');
  const options = {
    ...(has('insecure') && { verify_tls: false }),
    ...(maxRedirects !== undefined && { max_redirects: wholeNumber(maxRedirects, '--max-redirs') }),
    ...(has('http1') && { http2: false }),
  };
  const timeout = last('max_time');
  const proxy = proxyOf(given);
  return {
    request: {
      url: withQueries(url, queries),
      scraper: 'http',
      ...(method !== 'GET' && { method: method.toUpperCase() }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(sent !== null && { data: sent.data }),
      allow_redirects: has('redirects'),
      ...(proxy !== null && { proxy }),
      ...(timeout !== undefined && { timeout_ms: Math.round(Number(timeout) * 1000) }),
      ...(Object.keys(options).length > 0 && { scraper_options: options }),
    },
    ignored: [...ignored, ...dropped],
  };
}

/** curl assumes `http://`. */
function urlOf(urls: readonly string[], globoff: boolean): string {
  const [url] = urls;
  if (url === undefined) throw new Untranslatable('has no URL');
  if (urls.length > 1) throw new Untranslatable('has several URLs; import them one by one');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    throw new Untranslatable(`has a URL with \`${scheme}:\`; only \`http:\` and \`https:\` can be scraped`);
  if (!globoff && (/\{[^}]*,[^}]*\}/.test(url) || /\[\w+-\w+(?::\d+)?\]/.test(url)))
    throw new Untranslatable(
      'has a URL with `{a,b}` or `[1-3]`, which means several URLs; with `-g` it is one',
    );
  return scheme === undefined ? `http://${url}` : url;
}

function withQueries(url: string, queries: readonly string[]): string {
  if (queries.length === 0) return url;
  const hash = url.indexOf('#');
  const page = hash === -1 ? url : url.slice(0, hash);
  // curl writes the path that is missing before a query.
  const base = /^https?:\/\/[^/?]*$/i.test(page) ? `${page}/` : page;
  // curl writes the hexadecimal digits of what it appends in lower case.
  const added = queries.join('&').replaceAll(/%[0-9A-F]{2}/gi, (code) => code.toLowerCase());
  return `${base}${base.includes('?') ? '&' : '?'}${added}`;
}

/** The headers of `-H`, `-A`, `-e`, `-u`, `-b`, `-r` and those that the body needs. */
function headersOf(
  given: readonly Given[],
  contentType: { readonly value: string; readonly accept: string | null } | null,
  ignored: string[],
): Record<string, string | string[]> {
  const headers = new Map<string, { readonly name: string; readonly values: string[] }>();
  const removed = new Set<string>();
  const add = (name: string, value: string): void => {
    const lower = name.toLowerCase();
    const known = headers.get(lower);
    if (known === undefined) headers.set(lower, { name, values: [value] });
    else known.values.push(value);
  };
  const addDefault = (name: string, value: string): void => {
    const lower = name.toLowerCase();
    if (!headers.has(lower) && !removed.has(lower)) add(name, value);
  };
  for (const { effect, value } of given) {
    if (effect !== 'header') continue;
    const [, name, sign, text] = /^([^:;]*)([:;])(.*)$/s.exec(value) ?? [];
    if (value.startsWith('@'))
      throw new Untranslatable('reads headers from a file (`-H @…`); write them out');
    if (name === undefined) ignored.push(`-H ${value}`);
    else if (forbiddenHeaderReason(name.trim().toLowerCase()) !== null) ignored.push(`-H ${value}`);
    else if (sign === ':' && text!.trim() === '') {
      removed.add(name.toLowerCase());
      ignored.push(`-H ${value}`);
    } else add(name, sign === ';' ? '' : text!.trim());
  }
  for (const { effect, value } of given) {
    if (effect === 'user_agent') addDefault('User-Agent', value);
    else if (effect === 'referer') addDefault('Referer', value.replace(/;auto$/, ''));
    else if (effect === 'range') addDefault('Range', `bytes=${value}`);
    else if (effect === 'bearer') addDefault('Authorization', `Bearer ${value}`);
    else if (effect === 'user') addDefault('Authorization', basicAuthorization(value));
    else if (effect === 'cookie') {
      if (value === '') continue;
      if (!value.includes('='))
        throw new Untranslatable(`reads cookies from the file ${value} (\`-b\`); write them out`);
      add('Cookie', value);
    }
  }
  if (contentType !== null) {
    addDefault('Content-Type', contentType.value);
    if (contentType.accept !== null) addDefault('Accept', contentType.accept);
  }
  return Object.fromEntries(
    Array.from(headers.values(), ({ name, values }) => [name, values.length === 1 ? values[0]! : values]),
  );
}

function basicAuthorization(user: string): string {
  if (!user.includes(':')) throw new Untranslatable('has `-u` without a password, for which curl would ask');
  return `Basic ${Buffer.from(user).toString('base64')}`;
}

interface Body {
  readonly method: string;
  /** `data` of the scrape request. */
  readonly data: unknown;
  /** As text, for `-G`. */
  readonly text: string;
  readonly contentType: { readonly value: string; readonly accept: string | null } | null;
}

const DATA_EFFECTS: ReadonlySet<CurlEffect> = new Set([
  'data',
  'data_raw',
  'data_binary',
  'data_urlencode',
  'json',
]);

function bodyOf(given: readonly Given[], files: ImportFiles): Body | null {
  const parts = given.filter(({ effect }) => DATA_EFFECTS.has(effect));
  const forms = given.filter(({ effect }) => effect === 'form' || effect === 'form_string');
  const upload = given.findLast(({ effect }) => effect === 'upload');
  if ([parts.length, forms.length, upload === undefined ? 0 : 1].filter((count) => count > 0).length > 1)
    throw new Untranslatable('has two kinds of bodies (`-d`, `-F` and `-T` exclude each other)');
  if (upload !== undefined) {
    const bytes = fileBytes(upload.value, files);
    return { method: 'PUT', data: dataOf(bytes), text: '', contentType: null };
  }
  if (forms.length > 0)
    return {
      method: 'POST',
      data: { $multipart: forms.map((form) => formPart(form, files)) },
      text: '',
      contentType: null,
    };
  if (parts.length === 0) return null;
  const bytes = joinData(parts, files);
  const isJson = parts.some(({ effect }) => effect === 'json');
  return {
    method: 'POST',
    data: dataOf(bytes),
    text: Buffer.from(bytes).toString('utf8'),
    contentType: isJson
      ? { value: 'application/json', accept: 'application/json' }
      : { value: 'application/x-www-form-urlencoded', accept: null },
  };
}

const dataOf = (bytes: Uint8Array): unknown =>
  isUtf8(bytes)
    ? { $raw: Buffer.from(bytes).toString('utf8') }
    : { $base64: Buffer.from(bytes).toString('base64') };

/** Several `-d` are joined with `&`, several `--json` without anything. */
function joinData(parts: readonly Given[], files: ImportFiles): Uint8Array {
  const joined: Uint8Array[] = [];
  for (const { effect, value } of parts) {
    if (joined.length > 0 && effect !== 'json') joined.push(Buffer.from('&'));
    joined.push(dataBytes(effect, value, files));
  }
  return Buffer.concat(joined);
}

function dataBytes(effect: CurlEffect, value: string, files: ImportFiles): Uint8Array {
  if (effect === 'data_urlencode') return Buffer.from(urlEncoded(value, files));
  if (effect === 'data_raw' || !value.startsWith('@')) return Buffer.from(value);
  const bytes = fileBytes(value.slice(1), files);
  // `-d @file` leaves out line breaks and NUL.
  return effect === 'data' ? bytes.filter((byte) => byte !== 10 && byte !== 13 && byte !== 0) : bytes;
}

/** `content`, `=content`, `name=content`, `@file` or `name@file` of `--data-urlencode`. */
function urlEncoded(text: string, files: ImportFiles): string {
  const at = text.search(/[=@]/);
  if (at === -1) return percentEncoded(Buffer.from(text));
  const name = text.slice(0, at);
  const rest = text.slice(at + 1);
  const encoded = percentEncoded(text[at] === '@' ? fileBytes(rest, files) : Buffer.from(rest));
  return name === '' ? encoded : `${name}=${encoded}`;
}

/** As `--data-urlencode`, or as it stands after a `+`. */
const queryText = (text: string, files: ImportFiles): string =>
  text.startsWith('+') ? text.slice(1) : urlEncoded(text, files);

/** All bytes but the unreserved characters of RFC 3986 are encoded; a space is `+`, as in forms. */
function percentEncoded(bytes: Uint8Array): string {
  let encoded = '';
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    encoded +=
      char === ' '
        ? '+'
        : /[\w.~-]/.test(char)
          ? char
          : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}

/** `name=text`, `name=@file` or `name=<file`, with `;type=` and `;filename=`. */
function formPart({ effect, value }: Given, files: ImportFiles): FormPart {
  const at = value.indexOf('=');
  if (at === -1) throw new Untranslatable(`has a part of a form without \`=\`: ${value}`);
  const name = value.slice(0, at);
  let content = value.slice(at + 1);
  const part = { name, value: undefined, base64: undefined, filename: undefined, content_type: undefined };
  if (effect === 'form_string') return { ...part, value: content };
  const attributes = new Map<string, string>();
  content = content.replaceAll(
    /;\s*(type|filename)=("(?:[^"\\]|\\.)*"|[^;]*)/g,
    (_, attribute: string, text: string) => {
      attributes.set(attribute, text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text);
      return '';
    },
  );
  const described = { ...part, content_type: attributes.get('type'), filename: attributes.get('filename') };
  if (!/^[@<]/.test(content)) return { ...described, value: unquoted(content) };
  const file = unquoted(content.slice(1));
  const bytes = fileBytes(file, files);
  if (content.startsWith('<')) return { ...described, ...contentOf(bytes) };
  const filename = described.filename ?? file.slice(file.lastIndexOf('/') + 1);
  return {
    ...described,
    ...contentOf(bytes),
    filename,
    content_type: described.content_type ?? typeOfFile(filename),
  };
}

const contentOf = (bytes: Uint8Array): { readonly value?: string; readonly base64?: string } =>
  isUtf8(bytes)
    ? { value: Buffer.from(bytes).toString('utf8') }
    : { base64: Buffer.from(bytes).toString('base64') };

const unquoted = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"')
    ? text.slice(1, -1).replaceAll(/\\(["\\])/g, '$1')
    : text;

/** The media types that curl knows by the ending of a file. */
const TYPES: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  htm: 'text/html',
  html: 'text/html',
  pdf: 'application/pdf',
  xml: 'application/xml',
};

const typeOfFile = (name: string): string =>
  TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';

function fileBytes(name: string, files: ImportFiles): Uint8Array {
  const bytes = files.get(name);
  if (bytes === undefined)
    throw new Untranslatable(`reads the file ${JSON.stringify(name)}, whose content is missing in \`files\``);
  return bytes;
}

function proxyOf(given: readonly Given[]): string | null {
  const found = given.findLast(
    ({ effect }) => effect === 'proxy' || effect === 'socks5' || effect === 'socks5h',
  );
  if (found === undefined || found.value === '') return null;
  const { effect, value } = found;
  const scheme = effect === 'proxy' ? 'http' : effect;
  const url = /^[a-z0-9]+:\/\//i.test(value) ? value : `${scheme}://${value}`;
  const user = given.findLast((one) => one.effect === 'proxy_user')?.value;
  if (user === undefined) return url;
  const [name, ...password] = user.split(':');
  const credentials = `${encodeURIComponent(name!)}:${encodeURIComponent(password.join(':'))}@`;
  return url.replace(/^([a-z0-9]+:\/\/)/i, `$1${credentials}`);
}

function wholeNumber(text: string, option: string): number {
  if (!/^\d+$/.test(text))
    throw new Untranslatable(`has \`${option} ${text}\`; a scrape request takes a whole number`);
  return Number(text);
}
