import { isIP, isIPv4, isIPv6 } from 'node:net';
import { isAbsolute } from 'node:path';
import { parseIpRange } from '../base/ip-range.ts';
import { BROWSER_TYPES, type BrowserType } from '../domain/browser-options.ts';
import { parseRedisUrl, type RedisAddress } from '../domain/redis-address.ts';
import { type EncryptionKey, parseEncryptionKey } from '../domain/sealing.ts';

/** The value of a variable, or what is wrong with its text and what is allowed. */
export type ParsedVariable<T> =
  | { readonly value: T; readonly problem: null }
  | { readonly value: null; readonly problem: string };

export const valid = <T>(value: T): ParsedVariable<T> => ({ value: value, problem: null });
export const invalid = (problem: string): { readonly value: null; readonly problem: string } => ({
  value: null,
  problem,
});

/** An environment variable that the operator can set. All are in `variables.ts`. */
export interface Variable<T> {
  readonly name: `SLUICE_${string}`;
  /** The value if the variable is not set. */
  readonly fallback: T;
  /** The fallback in words, for the documentation. Absent: `fallback` is shown. */
  readonly fallbackText?: string;
  /** Markdown, one or two sentences. */
  readonly doc: string;
  /** The value is never shown in messages, and can also be in a file that `<name>_FILE` names. */
  readonly secret?: true;
  /** There is no `<name>_FILE`, although the variable is secret. */
  readonly noFile?: true;
  /** The value is the path of a file. `parse` is called with the content of the file. */
  readonly readsFile?: true;
  /** @param text trimmed, not empty. Never throws. */
  parse(text: string): ParsedVariable<T>;
}

/** Returns its argument. Needed only so that TypeScript infers `T`. */
export const variable = <T>(definition: Variable<T>): Variable<T> => definition;

/** A variable that need not be set: then its value is null. */
export const optionalVariable = <T>(definition: Omit<Variable<T>, 'fallback'>): Variable<T | null> => ({
  ...definition,
  fallback: null,
});

/** The text in quotes, shortened to fit into a message. */
export const quoteInput = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

export function oneOf<const T extends string>(...allowed: readonly T[]): (text: string) => ParsedVariable<T> {
  return (text) => {
    const value = allowed.find((candidate) => candidate === text.toLowerCase());
    return value === undefined
      ? invalid(`must be one of ${allowed.join(', ')}; got ${quoteInput(text)}`)
      : valid(value);
  };
}

/** @param expected what is allowed, in words */
export const matching =
  (pattern: RegExp, expected: string) =>
  (text: string): ParsedVariable<string> =>
    pattern.test(text) ? valid(text) : invalid(`must be ${expected}; got ${quoteInput(text)}`);

/** A folder in a bucket: names separated by `/`. The value ends with `/`. */
export function folderPrefix(text: string): ParsedVariable<string> {
  return text.length <= 500 && /^[A-Za-z0-9][A-Za-z0-9_.-]*(\/[A-Za-z0-9][A-Za-z0-9_.-]*)*\/?$/.test(text)
    ? valid(text.endsWith('/') ? text : `${text}/`)
    : invalid(`must be a folder such as sluice/ of A-Z a-z 0-9 . _ -; got ${quoteInput(text)}`);
}

export function flag(text: string): ParsedVariable<boolean> {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === '1') return valid(true);
  if (lower === 'false' || lower === '0') return valid(false);
  return invalid(`must be true or false; got ${quoteInput(text)}`);
}

export function integer(min: number, max: number): (text: string) => ParsedVariable<number> {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max
      ? valid(number)
      : invalid(`must be a whole number from ${min} to ${max}; got ${quoteInput(text)}`);
  };
}

/** A decimal number above `above` (absent: from 0) and at most `max`. */
export function decimal({
  above,
  max,
}: {
  readonly above?: number;
  readonly max: number;
}): (text: string) => ParsedVariable<number> {
  const range = above === undefined ? `from 0 to ${max}` : `above ${above} and at most ${max}`;
  return (text) => {
    const number = /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
    return number >= 0 && number <= max && (above === undefined || number > above)
      ? valid(number)
      : invalid(`must be a number ${range}; got ${quoteInput(text)}`);
  };
}

const BYTE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** Texts such as `1073741824`, `512MB` and `1.5 GiB`. @param min in bytes @param minText the same for messages */
export function byteSize(min: number, minText: string): (text: string) => ParsedVariable<number> {
  return (text) => {
    const match = /^(\d{1,15}(?:\.\d{1,9})?) *([a-z]{0,3})$/i.exec(text);
    const unit = match === null ? undefined : BYTE_UNITS[match[2]!.toLowerCase()];
    if (match === null || unit === undefined) {
      return invalid(
        `must be a number of bytes, or one with KB, MB, GB, KiB, MiB or GiB; got ${quoteInput(text)}`,
      );
    }
    const bytes = Math.floor(Number(match[1]) * unit);
    if (bytes < min) return invalid(`must be at least ${minText}; got ${quoteInput(text)}`);
    if (!Number.isSafeInteger(bytes)) return invalid(`must be less than 8192TiB; got ${quoteInput(text)}`);
    return valid(bytes);
  };
}

/** A host to listen on: an address, or a name such as localhost. */
export function host(text: string): ParsedVariable<string> {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (isIP(bare) !== 0 && (bare === text || isIPv6(bare))) return valid(bare);
  // The last label must not begin with a digit: some resolvers read such a name as an address.
  if (
    /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(text)
  ) {
    return valid(text);
  }
  return invalid(`must be an address or a host name to listen on, without a port; got ${quoteInput(text)}`);
}

export function baseUrl(text: string): ParsedVariable<string> {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return invalid(
      `must be an absolute http or https URL such as https://scrape.example.com; got ${quoteInput(text)}`,
    );
  }
  if (url.username !== '' || url.password !== '') return invalid('must not contain a user or password');
  if (/[?#]/.test(text)) return invalid(`must not have a query or fragment; got ${quoteInput(text)}`);
  return valid(url.origin + url.pathname.replace(/\/+$/, ''));
}

/** `http://host:port`, or `https://` if something before it ends TLS; without a path. */
export function guardUrl(text: string): ParsedVariable<string> {
  const parsed = baseUrl(text);
  if (parsed.problem !== null) return parsed;
  return new URL(parsed.value).pathname === '/'
    ? parsed
    : invalid(`must not have a path; got ${quoteInput(text)}`);
}

/** A comma-separated list. Empty items are skipped; the message names every invalid item. */
export function list<T>(
  parseItem: (text: string) => ParsedVariable<T>,
): (text: string) => ParsedVariable<readonly T[]> {
  return (text) => {
    const values: T[] = [];
    const problems = new Set<string>();
    for (const item of text.split(',')) {
      const trimmed = item.trim();
      if (trimmed === '') continue;
      const parsed = parseItem(trimmed);
      if (parsed.problem === null) values.push(parsed.value as T);
      else problems.add(parsed.problem);
    }
    return problems.size === 0 ? valid(Object.freeze(values)) : invalid([...problems].join('; '));
  };
}

export function ipRange(text: string): ParsedVariable<string> {
  return parseIpRange(text) === null
    ? invalid(`must contain addresses or CIDR ranges such as 10.0.0.0/8 or fd00::/8; got ${quoteInput(text)}`)
    : valid(text);
}

/** `host:port`, with the host as in `URL.hostname`, or a range of addresses. */
export function receiver(text: string): ParsedVariable<string> {
  if (parseIpRange(text) !== null) return valid(text);
  const match = /^([^/?#@\\\s]+):(\d{1,5})$/.exec(text);
  const hostname = match === null ? undefined : URL.parse(`http://${match[1]}/`)?.hostname;
  const port = Number(match?.[2]);
  return hostname === undefined || port < 1 || port > 65_535
    ? invalid(
        `must contain host:port such as hooks.internal:8080, addresses or CIDR ranges such as 10.0.0.0/8; got ${quoteInput(text)}`,
      )
    : valid(`${hostname}:${port}`);
}

/** Names of ranges that Fastify's `trustProxy` accepts. */
const PROXY_RANGE_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

export function proxyRange(text: string): ParsedVariable<string> {
  const lower = text.toLowerCase();
  if (PROXY_RANGE_NAMES.includes(lower)) return valid(lower);
  return parseIpRange(text) === null
    ? invalid(
        `must contain addresses, CIDR ranges, or ${PROXY_RANGE_NAMES.join(', ')}; got ${quoteInput(text)}`,
      )
    : valid(text);
}

/** The forms that `dns.setServers` takes: `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`. */
export function dnsServer(text: string): ParsedVariable<string> {
  const match = /^\[(?<v6>[^\]%]*)\](?::(?<port>\d{1,5}))?$|^(?<v4>[\d.]+)(?::(?<port>\d{1,5}))?$/.exec(
    text,
  )?.groups;
  const { v4, v6, port } = match ?? { v6: text };
  const isAddress = v4 === undefined ? isIPv6(v6!) && !v6!.includes('%') : isIPv4(v4);
  if (!isAddress) {
    return invalid(`must contain addresses of name servers, with or without a port; got ${quoteInput(text)}`);
  }
  if (port === undefined) return valid(v4 ?? v6!);
  if (Number(port) < 1 || Number(port) > 65535) {
    return invalid(`must have ports from 1 to 65535; got ${quoteInput(text)}`);
  }
  return valid(text);
}

/** URL of a PostgreSQL database. It may contain a password, so messages do not show it. */
export function postgresUrl(text: string): ParsedVariable<string> {
  const url = URL.parse(text);
  const isDatabase =
    url !== null &&
    (url.protocol === 'postgres:' || url.protocol === 'postgresql:') &&
    (url.hostname !== '' || url.searchParams.has('host')) &&
    url.pathname.length > 1;
  return isDatabase
    ? valid(text)
    : invalid('must be a URL such as postgres://user:password@host:5432/database');
}

/** URL of a Redis server, or of several. It may contain a password, so messages do not show it. */
export function redisAddress(text: string): ParsedVariable<RedisAddress> {
  const address = parseRedisUrl(text);
  return typeof address === 'string' ? invalid(address) : valid(address);
}

/** An origin as browsers send it (Fetch standard, "serialising a request origin"). */
export function origin(text: string): ParsedVariable<string> {
  const url = URL.parse(text);
  const isOrigin =
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.pathname === '/' &&
    url.username === '' &&
    url.password === '' &&
    !/[?#]/.test(text);
  return isOrigin
    ? valid(url.origin)
    : invalid(
        `must contain origins such as https://app.example.com, without a path; got ${quoteInput(text)}`,
      );
}

export function email(text: string): ParsedVariable<string> {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text)
    ? valid(text)
    : invalid(`must be an e-mail address; got ${quoteInput(text)}`);
}

/** For secrets: messages show only the length of the value. @param patternText the allowed characters in words */
export function secretText(min: number, max: number, pattern?: RegExp, patternText?: string) {
  return (text: string): ParsedVariable<string> => {
    if (text.length < min || text.length > max) {
      return invalid(`must have ${min} to ${max} characters; got ${text.length}`);
    }
    if (pattern !== undefined && !pattern.test(text)) return invalid(`may only contain ${patternText}`);
    return valid(text);
  };
}

/** Encryption keys, separated by commas or white space. The message never contains a key. */
export function encryptionKeys(text: string): ParsedVariable<readonly EncryptionKey[]> {
  const texts = text.split(/[\s,]+/).filter((item) => item !== '');
  const keys = texts.map(parseEncryptionKey);
  const wrong = keys.indexOf(null);
  if (wrong !== -1)
    return invalid(
      `must be a list of keys of 32 bytes in base64 or hexadecimal, as \`openssl rand -base64 32\` makes them; number ${wrong + 1} is none (it has ${texts[wrong]!.length} characters)`,
    );
  return keys.length === 0 ? invalid('must contain a key') : valid(keys as readonly EncryptionKey[]);
}

/** One or more PEM certificates (RFC 7468). Only the form is checked; the certificates are parsed when they are used. */
export function pem(text: string): ParsedVariable<string> {
  return /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END (TRUSTED |X509 )?CERTIFICATE-----/.test(
    text,
  )
    ? valid(text)
    : invalid('must name a file with certificates in PEM form (-----BEGIN CERTIFICATE-----)');
}

export function pemKey(text: string): ParsedVariable<string> {
  return /-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/.test(text)
    ? valid(text)
    : invalid('must name a file with a private key in PEM form (-----BEGIN PRIVATE KEY-----)');
}

/** `/path/to/chromium`, or `type=/path`. Whether the file exists is checked when a browser is needed. */
export function browserPath(text: string): ParsedVariable<{ type: BrowserType; path: string }> {
  const match = /^(?:([a-z]+)=)?([^\0]+)$/s.exec(text);
  const type = BROWSER_TYPES.find((candidate) => candidate === (match?.[1] ?? 'chromium'));
  return match === null || type === undefined || !isAbsolute(match[2]!)
    ? invalid(
        `must contain absolute paths, or type=path with one of ${BROWSER_TYPES.join(', ')}; got ${quoteInput(text)}`,
      )
    : valid(Object.freeze({ type, path: match[2]! }));
}
