import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATA } from '../egress/conformance.ts';

/** A URL, what it is relative to, and what the URL standard makes of it (null: nothing). */
export interface UrlCase {
  readonly input: string;
  readonly base: string | null;
  readonly href: string | null;
}

interface Row {
  readonly input: string;
  readonly base?: string | null;
  readonly failure?: boolean;
  readonly href?: string;
  readonly output?: string | Record<string, string> | null;
}

function rows(file: string): readonly Row[] {
  if (DATA === null) return [];
  const entries = JSON.parse(readFileSync(join(DATA, 'url', file), 'utf8')) as (Row | string)[];
  return entries.filter((entry) => typeof entry !== 'string');
}

/** The cases that are whole URLs. */
export function urlCases(): readonly UrlCase[] {
  return [
    'urltestdata.json',
    'urltestdata-javascript-only.json',
    'ada_extra_urltestdata.json',
    'ada_long_urltestdata.json',
  ].flatMap((file) =>
    rows(file).map(({ input, base = null, failure, href }) => ({
      input,
      // Nothing is relative to about:blank but a fragment.
      base: base === 'about:blank' && !input.trim().startsWith('#') ? null : base,
      href: failure === true ? null : href!,
    })),
  );
}

/** Hosts, as `domain to ASCII` has them. */
export function hostCases(): readonly UrlCase[] {
  return ['toascii.json', 'IdnaTestV2.json'].flatMap((file) =>
    // Without a host there is none to convert: what follows the slashes would be taken for it.
    rows(file)
      .filter(({ input }) => input !== '')
      .map(({ input, output }) => ({
        // As WPT's own runner: what would end the host is escaped.
        input: `http://${input.replace(/[/?#\\:@]/g, (sign) => encodeURIComponent(sign))}/x`,
        base: null,
        href: output === null || output === '' ? null : `http://${output as string}/x`,
      })),
  );
}

/** Percent-encoding of a query by the one encoding that URLs of an API have: UTF-8. */
export function queryCases(): readonly UrlCase[] {
  return rows('percent-encoding.json').map(({ input, output }) => ({
    input: `http://query.test/?${input}`,
    base: null,
    href: `http://query.test/?${(output as Record<string, string>)['utf-8']}`,
  }));
}

/** Names, and whether DNS can hold them. */
export function nameLengthCases(): readonly { readonly input: string; readonly fits: boolean }[] {
  return rows('verifydnslength_tests.json').map(({ input, failure }) => ({ input, fits: failure !== true }));
}

export interface OnTheWire {
  readonly secure: boolean;
  /** Request-target and Host, made from the text of the href alone. */
  readonly target: string;
  readonly host: string;
  /** Where to connect to. */
  readonly hostname: string;
  readonly port: number;
  /** user:password as they stand in the href. */
  readonly credentials: string | null;
}

/** What a serialised http(s) URL must look like on the wire; null for others. */
export function onTheWire(href: string): OnTheWire | null {
  const found = /^(https?):\/\/(?:([^/?#@]*)@)?([^/?#@]*?)(?::(\d+))?(\/[^#]*)(?:#.*)?$/s.exec(href);
  if (found === null) return null;
  const [, scheme, credentials = null, hostname, port, target] = found;
  const secure = scheme === 'https';
  return {
    secure,
    target: target!,
    host: port === undefined ? hostname! : `${hostname}:${port}`,
    hostname: hostname!,
    port: port === undefined ? (secure ? 443 : 80) : Number(port),
    credentials,
  };
}
