import { isIP, isIPv4, isIPv6 } from 'node:net';
import { isAbsolute } from 'node:path';
import { parseIpRange } from '../base/ip-range.ts';
import { type Parsed, value, wrong } from './variable.ts';

/** The given text for a message, not longer than a line can bear. */
const given = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

export function oneOf<const T extends string>(...allowed: readonly T[]): (text: string) => Parsed<T> {
  return (text) => {
    const found = allowed.find((one) => one === text.toLowerCase());
    return found === undefined
      ? wrong(`must be one of ${allowed.join(', ')}; got ${given(text)}`)
      : value(found);
  };
}

export function flag(text: string): Parsed<boolean> {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === '1') return value(true);
  if (lower === 'false' || lower === '0') return value(false);
  return wrong(`must be true or false; got ${given(text)}`);
}

export function integer(min: number, max: number): (text: string) => Parsed<number> {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max
      ? value(number)
      : wrong(`must be a whole number from ${min} to ${max}; got ${given(text)}`);
  };
}

/** A decimal number with `above` < it ≤ `max`, or from 0 when `above` is null. */
export function decimal(above: number | null, max: number): (text: string) => Parsed<number> {
  const range = above === null ? `from 0 to ${max}` : `above ${above} and at most ${max}`;
  return (text) => {
    const number = /^\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
    return number >= 0 && number <= max && (above === null || number > above)
      ? value(number)
      : wrong(`must be a number ${range}; got ${given(text)}`);
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
export function byteSize(min: number, minText: string): (text: string) => Parsed<number> {
  return (text) => {
    const match = /^(\d{1,15}(?:\.\d{1,9})?) *([a-z]{0,3})$/i.exec(text);
    const unit = match === null ? undefined : UNITS[match[2]!.toLowerCase()];
    if (match === null || unit === undefined) {
      return wrong(`must be a number of bytes, or one with KB, MB, GB, KiB, MiB or GiB; got ${given(text)}`);
    }
    const bytes = Math.floor(Number(match[1]) * unit);
    if (bytes < min) return wrong(`must be at least ${minText}; got ${given(text)}`);
    if (!Number.isSafeInteger(bytes)) return wrong(`must be less than 8192TiB; got ${given(text)}`);
    return value(bytes);
  };
}

/** A text for `listen`: an address, or a name such as localhost. */
export function host(text: string): Parsed<string> {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (isIP(bare) !== 0 && (bare === text || isIPv6(bare))) return value(bare);
  // A name that ends in digits would be read as a number by some resolvers.
  if (
    /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(text)
  ) {
    return value(text);
  }
  return wrong(`must be an address or a host name to listen on, without a port; got ${given(text)}`);
}

export function baseUrl(text: string): Parsed<string> {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return wrong(
      `must be an absolute http or https URL such as https://scrape.example.com; got ${given(text)}`,
    );
  }
  if (url.username !== '' || url.password !== '') return wrong('must not contain a user or password');
  if (/[?#]/.test(text)) return wrong(`must not have a query or fragment; got ${given(text)}`);
  return value(url.origin + url.pathname.replace(/\/+$/, ''));
}

/** Comma-separated; empty members are passed over, and every wrong one is named. */
export function list<T>(item: (text: string) => Parsed<T>): (text: string) => Parsed<readonly T[]> {
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
    return messages.length === 0 ? value(Object.freeze(values)) : wrong([...new Set(messages)].join('; '));
  };
}

export function ipRange(text: string): Parsed<string> {
  return parseIpRange(text) === null
    ? wrong(`must contain addresses or CIDR ranges such as 10.0.0.0/8 or fd00::/8; got ${given(text)}`)
    : value(text);
}

const PROXY_WORDS = ['loopback', 'linklocal', 'uniquelocal'];

export function proxyRange(text: string): Parsed<string> {
  const lower = text.toLowerCase();
  if (PROXY_WORDS.includes(lower)) return value(lower);
  return parseIpRange(text) === null
    ? wrong(`must contain addresses, CIDR ranges, or ${PROXY_WORDS.join(', ')}; got ${given(text)}`)
    : value(text);
}

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`: the forms of `dns.setServers`. */
export function dnsServer(text: string): Parsed<string> {
  const match = /^\[(?<v6>[^\]%]*)\](?::(?<port>\d{1,5}))?$|^(?<v4>[\d.]+)(?::(?<port>\d{1,5}))?$/.exec(
    text,
  )?.groups;
  const { v4, v6, port } = match ?? { v6: text };
  const isAddress = v4 === undefined ? isIPv6(v6!) && !v6!.includes('%') : isIPv4(v4);
  if (!isAddress) {
    return wrong(`must contain addresses of name servers, with or without a port; got ${given(text)}`);
  }
  if (port === undefined) return value(v4 ?? v6!);
  if (Number(port) < 1 || Number(port) > 65535) {
    return wrong(`must have ports from 1 to 65535; got ${given(text)}`);
  }
  return value(text);
}

/** An origin as browsers send it (Fetch standard, "serialising a request origin"). */
export function origin(text: string): Parsed<string> {
  const url = URL.parse(text);
  const fits =
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.pathname === '/' &&
    url.username === '' &&
    url.password === '' &&
    !/[?#]/.test(text);
  return fits
    ? value(url.origin)
    : wrong(`must contain origins such as https://app.example.com, without a path; got ${given(text)}`);
}

export function email(text: string): Parsed<string> {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text)
    ? value(text)
    : wrong(`must be an e-mail address; got ${given(text)}`);
}

/** A secret: no more is said of it than its length. */
export function secretText(min: number, max: number, form?: RegExp, formText?: string) {
  return (text: string): Parsed<string> => {
    if (text.length < min || text.length > max) {
      return wrong(`must have ${min} to ${max} characters; got ${text.length}`);
    }
    if (form !== undefined && !form.test(text)) return wrong(`may only contain ${formText}`);
    return value(text);
  };
}

/** One or more PEM certificates (RFC 7468); their content is checked when they are used. */
export function pem(text: string): Parsed<string> {
  return /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----[\s\S]+?-----END (TRUSTED |X509 )?CERTIFICATE-----/.test(
    text,
  )
    ? value(text)
    : wrong('must name a file with certificates in PEM form (-----BEGIN CERTIFICATE-----)');
}

const BROWSER_TYPES = ['chromium', 'chrome', 'msedge', 'firefox', 'webkit'] as const;

/** `/path/to/chromium`, or `type=/path`. Whether it is there is looked up when a browser is needed. */
export function browserPath(text: string): Parsed<{ type: (typeof BROWSER_TYPES)[number]; path: string }> {
  const match = /^(?:([a-z]+)=)?([^\0]+)$/s.exec(text);
  const type = BROWSER_TYPES.find((one) => one === (match?.[1] ?? 'chromium'));
  return match === null || type === undefined || !isAbsolute(match[2]!)
    ? wrong(
        `must contain absolute paths, or type=path with one of ${BROWSER_TYPES.join(', ')}; got ${given(text)}`,
      )
    : value(Object.freeze({ type, path: match[2]! }));
}
