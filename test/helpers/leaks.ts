import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';

/** More than a compressed member of the places that are searched holds. */
const MAX_MEMBER = 64 * 1024 * 1024;
const OF_ZLIB = { maxOutputLength: MAX_MEMBER, finishFlush: constants.Z_SYNC_FLUSH } satisfies ZlibOptions;
/** What begins with these bytes may be a compressed member: of gzip, zstd, an archive of zip. */
const MEMBERS: readonly (readonly [start: Buffer, decompress: (bytes: Buffer) => Buffer])[] = [
  [Buffer.from('1f8b08', 'hex'), (bytes) => gunzipSync(bytes, OF_ZLIB)],
  [Buffer.from('28b52ffd', 'hex'), (bytes) => zstdDecompressSync(bytes, { maxOutputLength: MAX_MEMBER })],
  // Name and extra field are between its header and the data (APPNOTE.TXT §4.3.7).
  [
    Buffer.from('504b0304', 'hex'),
    (bytes) => inflateRawSync(bytes.subarray(30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28)), OF_ZLIB),
  ],
];

/** Finds secrets in bytes, in the encodings in which they might have been written there. */
export class LeakSearch {
  readonly #forms: readonly (readonly [name: string, form: Buffer])[];
  /** Numbers, which are found by chance as a part of others. */
  readonly #codes: readonly string[];
  /** By the places without their numbers: what was found there first. */
  readonly #leaks = new Map<string, string>();
  /** Bytes that were searched, decompressed ones also. */
  bytes = 0;

  /** @param secrets by a name that messages have in their place */
  constructor(secrets: Readonly<Record<string, string>>, codes: readonly string[] = []) {
    this.#forms = Object.entries(secrets).flatMap(([name, secret]) =>
      [...new Set(formsOf(secret))].map((form) => [name, Buffer.from(form)] as const),
    );
    this.#codes = codes;
  }

  /** Where which secret was found. */
  get leaks(): readonly string[] {
    return [...this.#leaks.values()];
  }

  #found(where: string, what: string, bytes: Buffer, at: number): void {
    const place = `${where.replaceAll(/[0-9a-f-]{8,}|\d+/g, '#')}: ${what}`;
    if (this.#leaks.has(place)) return;
    this.#leaks.set(place, `${where}: ${what} in …${bytes.subarray(Math.max(0, at - 120), at + 160)}…`);
  }

  text(where: string, text: string): void {
    this.buffer(where, Buffer.from(text));
  }

  /** Also what is compressed in it. */
  buffer(where: string, bytes: Buffer): void {
    this.bytes += bytes.length;
    for (const [name, form] of this.#forms) {
      const at = bytes.indexOf(form);
      if (at !== -1) this.#found(where, `${name} as ${form}`, bytes, at);
    }
    for (const code of this.#codes)
      for (let at = bytes.indexOf(code); at !== -1; at = bytes.indexOf(code, at + 1))
        if (!isDigit(bytes[at - 1]) && !isDigit(bytes[at + code.length]))
          this.#found(where, `the code ${code}`, bytes, at);
    for (const [start, decompress] of MEMBERS)
      for (let at = bytes.indexOf(start); at !== -1; at = bytes.indexOf(start, at + 1)) {
        const member = decompressed(() => decompress(bytes.subarray(at)));
        if (member !== null && member.length > 0) this.buffer(`${where} at ${at}, decompressed`, member);
      }
  }

  /** All files below a folder, also those of running programs. @returns how many */
  folder(folder: string, what: string = folder): number {
    let files = 0;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const where = `${what}: ${path.slice(folder.length + 1)}`;
      try {
        const content = readFileSync(path);
        files += 1;
        this.buffer(where, content);
        if (path.endsWith('.br')) this.buffer(`${where}, decompressed`, brotliDecompressSync(content));
      } catch (error) {
        // The file has gone meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
    return files;
  }

  /** All values of an SQLite database, because those that are longer than a page are in pieces in its file. @returns how many rows */
  database(path: string): number {
    const database = new DatabaseSync(path, { readOnly: true });
    let rows = 0;
    try {
      const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      for (const { name } of tables)
        for (const row of database.prepare(`SELECT * FROM "${name}"`).iterate()) {
          rows += 1;
          for (const [column, value] of Object.entries(row)) {
            if (typeof value === 'string') this.text(`${name}.${column}`, value);
            if (value instanceof Uint8Array) this.buffer(`${name}.${column}`, Buffer.from(value));
          }
        }
    } finally {
      database.close();
    }
    return rows;
  }
}

/** A dump of PostgreSQL, also its binary values, which are hexadecimal there. */
export function searchDump(search: LeakSearch, dump: string): void {
  search.text('the dump', dump);
  for (const [, value] of dump.matchAll(/\\x((?:[0-9a-f]{2})+)/g))
    search.buffer('a value of the dump', Buffer.from(value!, 'hex'));
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 48 && byte <= 57;

function decompressed(decompress: () => Buffer): Buffer | null {
  try {
    return decompress();
  } catch {
    return null;
  }
}

/** A secret in the encodings of programs. Of Base64, what does not depend on the bytes around it, at each of the three offsets. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const shifted = (encoding: 'base64' | 'base64url') =>
    [0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString(encoding)
        .replace(/=+$/, '')
        .slice(shift === 0 ? 0 : 4, -2),
    );
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURI(secret),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    new URLSearchParams({ a: secret }).toString().slice(2),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
    bytes.toString('hex'),
    // UTF-16, as browsers keep texts.
    [...secret].join('\0'),
    ...shifted('base64'),
    ...shifted('base64url'),
  ];
}
