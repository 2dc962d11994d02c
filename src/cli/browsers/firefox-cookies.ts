import type { Database } from 'better-sqlite3';
import type { BrowserCookie } from './browser-cookie.ts';
import { readDatabaseCopy } from './database-copy.ts';
import type { HostFilter } from './site-filter.ts';

interface Row {
  readonly host: string;
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly expiry: number;
  readonly isSecure: number;
  readonly isHttpOnly: number;
  readonly sameSite: number;
  /** Such as `^partitionKey=%28https%2Cexample.com%29`; empty: neither partitioned nor of a container. */
  readonly originAttributes: string;
}

/** Since this version (Firefox 142) `expiry` is in ms. */
const MILLISECONDS_VERSION = 16;

/**
 * The cookies outside containers. Firefox keeps session cookies in memory alone, so there are none.
 * @param file `cookies.sqlite` of a profile
 * @throws CommandError
 */
export async function readFirefoxCookies(
  file: string,
  filter: HostFilter,
): Promise<readonly BrowserCookie[]> {
  return readDatabaseCopy(file, (database) => {
    const inMs = versionOf(database) >= MILLISECONDS_VERSION;
    return database
      .prepare<[], Row>(
        'SELECT host, name, value, path, expiry, isSecure, isHttpOnly, sameSite, originAttributes FROM moz_cookies',
      )
      .all()
      .filter(({ host }) => filter(host))
      .flatMap((row) => {
        const partition = partitionOf(row.originAttributes);
        return partition === undefined ? [] : [cookieOf(row, partition, inMs)];
      });
  });
}

const versionOf = (database: Database): number => database.pragma('user_version', { simple: true }) as number;

/** The site of the top-level page; null: not partitioned; undefined: of a container or a private window. */
function partitionOf(attributes: string): string | null | undefined {
  if (attributes === '') return null;
  const values = new URLSearchParams(attributes.replace(/^\^/, ''));
  const [, scheme, host] = /^\((https?),([^,)]+)[^)]*\)$/.exec(values.get('partitionKey') ?? '') ?? [];
  return values.size === 1 && scheme !== undefined ? `${scheme}://${host}` : undefined;
}

const SAME_SITE = new Map<number, BrowserCookie['sameSite']>([
  [1, 'Lax'],
  [2, 'Strict'],
]);

const cookieOf = (row: Row, partition: string | null, inMs: boolean): BrowserCookie => ({
  name: row.name,
  value: row.value,
  domain: row.host,
  path: row.path,
  expires: inMs ? Math.floor(row.expiry / 1_000) : row.expiry,
  httpOnly: row.isHttpOnly === 1,
  secure: row.isSecure === 1,
  // 0 is both None and no attribute. Other browsers take None only with Secure.
  sameSite: SAME_SITE.get(row.sameSite) ?? (row.sameSite === 0 && row.isSecure === 1 ? 'None' : 'Lax'),
  ...(partition === null ? {} : { partitionKey: partition }),
});
