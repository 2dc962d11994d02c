import { isIP, isIPv4, isIPv6 } from 'node:net';
import { isAbsolute } from 'node:path';
import { parseIpRange } from '../base/ip-range.ts';

/** What a parser says of one text: the value, or what is wrong with it and what is allowed. */
export type ParsedVariable<T> =
  | { readonly value: T; readonly wrong: null }
  | { readonly value: null; readonly wrong: string };

export const valid = <T>(of: T): ParsedVariable<T> => ({ value: of, wrong: null });
export const invalid = (message: string): { readonly value: null; readonly wrong: string } => ({
  value: null,
  wrong: message,
});

/** One variable that the operator can set. The table of them is `variables.ts`. */
export interface Variable<T> {
  readonly name: `SLUICE_${string}`;
  /** When it is not set. */
  readonly fallback: T;
  /** The fallback in words, for the documentation; left out where the text of `fallback` says it. */
  readonly fallbackText?: string;
  /** Markdown, one or two sentences. */
  readonly doc: string;
  /** Its value never stands in a message; `<name>_FILE` may name a file that holds it. */
  readonly secret?: true;
  /** `secret`, but without `<name>_FILE`. */
  readonly noFile?: true;
  /** The value names a file; `parse` gets its content. */
  readonly readsFile?: true;
  /** Of a trimmed, non-empty text. Never throws. */
  parse(text: string): ParsedVariable<T>;
}

export const variable = <T>(of: Variable<T>): Variable<T> => of;

/** The given text for a message, not longer than a line can bear. */
const quotedInput = (text: string): string =>
  JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

export function oneOf<const T extends string>(...allowed: readonly T[]): (text: string) => ParsedVariable<T> {
  return (text) => {
    const found = allowed.find((one) => one === text.toLowerCase());
    return found === undefined
      ? invalid(`must be one of ${allowed.join(', ')}; got ${quotedInput(text)}`)
      : valid(found);
  };
}

export function flag(text: string): ParsedVariable<boolean> {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === '1') return valid(true);
  if (lower === 'false' || lower === '0') return valid(false);
  return invalid(`must be true or false; got ${quotedInput(text)}`);
}

export function integer(min: number, max: number): (text: string) => ParsedVariable<number> {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max
      ? valid(number)
      : invalid(`must be a whole number from ${min} to ${max}; got ${quotedInput(text)}`);
  };
}

/** A decimal number with `above` < it ≤ `max`, or from 0 when `above` is null. */
export function decimal(above: number | null, max: number): (text: string) => ParsedVariable<number> {
  const range = above === null ? `from 0 to ${max}` : `above ${above} and at most ${max}`;
  return (text) => {
    const number = /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
    return number >= 0 && number <= max && (above === null || number > above)
      ? valid(number)
      : invalid(`must be a number ${range}; got ${quotedInput(text)}`);
  };
}

const UNITS: Readonly<Record<string, number>> = {
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

/** `1073741824`, `512MB`, `1.5 GiB`. @param min in bytes */
export function byteSize(min: number, minText: string): (text: string) => ParsedVariable<number> {
  return (text) => {
    const match = /^(\d{1,15}(?:\.\d{1,9})?) *([a-z]{0,3})$/i.exec(text);
    const unit = match === null ? undefined : UNITS[match[2]!.toLowerCase()];
    if (match === null || unit === undefined) {
      return invalid(
        `must be a number of bytes, or one with KB, MB, GB, KiB, MiB or GiB; got ${quotedInput(text)}`,
      );
    }
    const bytes = Math.floor(Number(match[1]) * unit);
    if (bytes < min) return invalid(`must be at least ${minText}; got ${quotedInput(text)}`);
    if (!Number.isSafeInteger(bytes)) return invalid(`must be less than 8192TiB; got ${quotedInput(text)}`);
    return valid(bytes);
  };
}

/** A text for `listen`: an address, or a name such as localhost. */
export function host(text: string): ParsedVariable<string> {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (isIP(bare) !== 0 && (bare === text || isIPv6(bare))) return valid(bare);
  // A name that ends in digits would be read as a number by some resolvers.
  if (
    /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(text)
  ) {
    return valid(text);
  }
  return invalid(`must be an address or a host name to listen on, without a port; got ${quotedInput(text)}`);
}

export function baseUrl(text: string): ParsedVariable<string> {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return invalid(
      `must be an absolute http or https URL such as https://scrape.example.com; got ${quotedInput(text)}`,
    );
  }
  if (url.username !== '' || url.password !== '') return invalid('must not contain a user or password');
  if (/[?#]/.test(text)) return invalid(`must not have a query or fragment; got ${quotedInput(text)}`);
  return valid(url.origin + url.pathname.replace(/\/+$/, ''));
}

/** Comma-separated; empty members are passed over, and every wrong one is named. */
export function list<T>(
  item: (text: string) => ParsedVariable<T>,
): (text: string) => ParsedVariable<readonly T[]> {
  return (text) => {
    const values: T[] = [];
    const messages: string[] = [];
    for (const part of text.split(',')) {
      const trimmed = part.trim();
      if (trimmed === '') continue;
      const parsed = item(trimmed);
      if (parsed.wrong === null) values.push(parsed.value as T);
      else messages.push(parsed.wrong);
    }
    return messages.length === 0 ? valid(Object.freeze(values)) : invalid([...new Set(messages)].join('; '));
  };
}

export function ipRange(text: string): ParsedVariable<string> {
  return parseIpRange(text) === null
    ? invalid(
        `must contain addresses or CIDR ranges such as 10.0.0.0/8 or fd00::/8; got ${quotedInput(text)}`,
      )
    : valid(text);
}

const PROXY_WORDS = ['loopback', 'linklocal', 'uniquelocal'];

export function proxyRange(text: string): ParsedVariable<string> {
  const lower = text.toLowerCase();
  if (PROXY_WORDS.includes(lower)) return valid(lower);
  return parseIpRange(text) === null
    ? invalid(`must contain addresses, CIDR ranges, or ${PROXY_WORDS.join(', ')}; got ${quotedInput(text)}`)
    : valid(text);
}

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`: the forms of `dns.setServers`. */
export function dnsServer(text: string): ParsedVariable<string> {
  const match = /^\[(?<v6>[^\]%]*)\](?::(?<port>\d{1,5}))?$|^(?<v4>[\d.]+)(?::(?<port>\d{1,5}))?$/.exec(
    text,
  )?.groups;
  const { v4, v6, port } = match ?? { v6: text };
  const isAddress = v4 === undefined ? isIPv6(v6!) && !v6!.includes('%') : isIPv4(v4);
  if (!isAddress) {
    return invalid(
      `must contain addresses of name servers, with or without a port; got ${quotedInput(text)}`,
    );
  }
  if (port === undefined) return valid(v4 ?? v6!);
  if (Number(port) < 1 || Number(port) > 65535) {
    return invalid(`must have ports from 1 to 65535; got ${quotedInput(text)}`);
  }
  return valid(text);
}

/** An origin as browsers send it (Fetch standard, "serialising a request origin"). */
export function origin(text: string): ParsedVariable<string> {
  const url = URL.parse(text);
  const fits =
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.pathname === '/' &&
    url.username === '' &&
    url.password === '' &&
    !/[?#]/.test(text);
  return fits
    ? valid(url.origin)
    : invalid(
        `must contain origins such as https://app.example.com, without a path; got ${quotedInput(text)}`,
      );
}

export function email(text: string): ParsedVariable<string> {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text)
    ? valid(text)
    : invalid(`must be an e-mail address; got ${quotedInput(text)}`);
}

/** A secret: no more is said of it than its length. */
export function secretText(min: number, max: number, form?: RegExp, formText?: string) {
  return (text: string): ParsedVariable<string> => {
    if (text.length < min || text.length > max) {
      return invalid(`must have ${min} to ${max} characters; got ${text.length}`);
    }
    if (form !== undefined && !form.test(text)) return invalid(`may only contain ${formText}`);
    return valid(text);
  };
}

/** One or more PEM certificates (RFC 7468); their content is checked when they are used. */
export function pem(text: string): ParsedVariable<string> {
  return /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END (TRUSTED |X509 )?CERTIFICATE-----/.test(
    text,
  )
    ? valid(text)
    : invalid('must name a file with certificates in PEM form (-----BEGIN CERTIFICATE-----)');
}

const BROWSER_TYPES = ['chromium', 'chrome', 'msedge', 'firefox', 'webkit'] as const;

/** `/path/to/chromium`, or `type=/path`. Whether it is there is looked up when a browser is needed. */
export function browserPath(
  text: string,
): ParsedVariable<{ type: (typeof BROWSER_TYPES)[number]; path: string }> {
  const match = /^(?:([a-z]+)=)?([^\0]+)$/s.exec(text);
  const type = BROWSER_TYPES.find((one) => one === (match?.[1] ?? 'chromium'));
  return match === null || type === undefined || !isAbsolute(match[2]!)
    ? invalid(
        `must contain absolute paths, or type=path with one of ${BROWSER_TYPES.join(', ')}; got ${quotedInput(text)}`,
      )
    : valid(Object.freeze({ type, path: match[2]! }));
}
