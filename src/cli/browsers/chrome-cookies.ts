import { createDecipheriv, hash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { BrowserCookie, ReadCookies } from './browser-cookie.ts';
import { type ChromeNames, chromeKeys } from './chrome-key.ts';
import { readDatabaseCopy } from './database-copy.ts';
import type { HostFilter } from './site-filter.ts';

interface Row {
  readonly host_key: string;
  readonly name: string;
  readonly value: string;
  readonly encrypted_value: Buffer;
  readonly path: string;
  /** µs since 1601; 0: a session cookie. */
  readonly expires: number;
  readonly is_secure: number;
  readonly is_httponly: number;
  readonly samesite: number;
  /** Empty: not partitioned. */
  readonly top_frame_site_key: string;
  readonly has_cross_site_ancestor: number | null;
}

/** Since this version the SHA-256 of the host stands before the value, so that a value cannot be moved to another host. */
const HASHED_VERSION = 24;
const HASH_BYTES = 32;

/** @param file `Cookies` of a profile @throws CommandError */
export async function readChromeCookies(
  file: string,
  names: ChromeNames,
  filter: HostFilter,
  platform: NodeJS.Platform,
): Promise<ReadCookies> {
  const { rows, isHashed } = await readDatabaseCopy(file, (database) => ({
    rows: rowsOf(database).filter(({ host_key }) => filter(host_key)),
    isHashed: versionOf(database) >= HASHED_VERSION,
  }));
  const keys = new Map<string, readonly Buffer[] | null>();
  const cookies: BrowserCookie[] = [];
  let unreadable = 0;
  for (const row of rows) {
    const prefix = row.encrypted_value.toString('latin1', 0, 3);
    if (row.encrypted_value.length > 0 && !keys.has(prefix))
      keys.set(prefix, await chromeKeys(prefix, names, platform));
    const value =
      row.encrypted_value.length === 0 ? row.value : decrypted(row, keys.get(prefix) ?? [], isHashed);
    if (value === null) unreadable++;
    else cookies.push(cookieOf(row, value));
  }
  return { cookies, unreadable };
}

function rowsOf(database: Database): readonly Row[] {
  const columns = new Set(
    database
      .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
      .all('cookies')
      .map(({ name }) => name),
  );
  const optional = (name: string, otherwise: string) =>
    columns.has(name) ? name : `${otherwise} AS ${name}`;
  return database
    .prepare<[], Row>(
      `SELECT host_key, name, value, encrypted_value, path, is_secure, is_httponly, samesite,
        CASE has_expires WHEN 1 THEN CAST(expires_utc AS REAL) ELSE 0 END AS expires,
        ${optional('top_frame_site_key', "''")}, ${optional('has_cross_site_ancestor', 'NULL')}
      FROM cookies`,
    )
    .all();
}

const versionOf = (database: Database): number =>
  Number(database.prepare("SELECT value FROM meta WHERE key = 'version'").pluck().get() ?? 0);

/** AES-128-CBC with an IV of 16 spaces. null: no key fits. */
function decrypted(row: Row, keys: readonly Buffer[], isHashed: boolean): string | null {
  for (const key of keys) {
    const cipher = createDecipheriv('aes-128-cbc', key, Buffer.alloc(16, ' '));
    try {
      const text = Buffer.concat([cipher.update(row.encrypted_value.subarray(3)), cipher.final()]);
      if (!isHashed) return text.toString('utf8');
      if (text.subarray(0, HASH_BYTES).equals(hash('sha256', row.host_key, 'buffer')))
        return text.subarray(HASH_BYTES).toString('utf8');
    } catch {
      // The padding is wrong: so is the key.
    }
  }
  return null;
}

const UNIX_EPOCH_S = 11_644_473_600;
/** By `samesite`; browsers treat a cookie without the attribute as Lax. */
const SAME_SITE = new Map<number, BrowserCookie['sameSite']>([
  [0, 'None'],
  [1, 'Lax'],
  [2, 'Strict'],
]);

const cookieOf = (row: Row, value: string): BrowserCookie => ({
  name: row.name,
  value,
  domain: row.host_key,
  path: row.path,
  expires: row.expires === 0 ? -1 : Math.floor(row.expires / 1e6) - UNIX_EPOCH_S,
  httpOnly: row.is_httponly === 1,
  secure: row.is_secure === 1,
  sameSite: SAME_SITE.get(row.samesite) ?? 'Lax',
  ...(row.top_frame_site_key === ''
    ? {}
    : {
        partitionKey: row.top_frame_site_key,
        ...(row.has_cross_site_ancestor === null
          ? {}
          : { _crHasCrossSiteAncestor: row.has_cross_site_ancestor === 1 }),
      }),
});
