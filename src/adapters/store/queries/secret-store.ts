import { uuidText } from '../../../base/uuid7.ts';
import { type SealPurpose, sealKeyId } from '../../../domain/sealing.ts';
import type { SealedCount, SealedValue, SecretStore } from '../../../ports/secrets.ts';
import { SEALED_COLUMNS } from '../schema/sealed-columns.ts';
import type { RunStatements, Statement } from './statements.ts';

type Column = (typeof SEALED_COLUMNS)[number];

/** Rows that one call of `sealedOtherwise` examines. */
const PAGE_ROWS = 500;

/** The first bytes of a sealed value with their key id: version 1 and four bytes (src/domain/sealing.ts). */
const prefixOf = (keyId: string): Uint8Array => Uint8Array.from(Buffer.from(`01${keyId}`, 'hex'));

const isLive = ({ column, live = 'TRUE' }: Column): string => `${column} IS NOT NULL AND ${live}`;

const countSql = (column: Column): string =>
  `SELECT substr(${column.column}, 1, 5) AS prefix, count(*) AS count
FROM ${column.table} WHERE ${isLive(column)} GROUP BY prefix`;

interface CountRow {
  readonly prefix: Uint8Array;
  readonly count: number;
}

/** `?` for each column of the key. */
const marks = ({ key }: Column): string => key.map(() => '?').join(', ');

/** The next rows in the order of the key, beginning after the given key if there is one. */
const pageSql = (column: Column, isFirst: boolean): string =>
  `SELECT ${column.key.join(', ')}, ${column.column} AS sealed, ${column.owner} AS owner FROM ${column.table}
WHERE ${isLive(column)}${isFirst ? '' : ` AND (${column.key.join(', ')}) > (${marks(column)})`}
ORDER BY ${column.key.join(', ')} LIMIT ${PAGE_ROWS}`;

const replaceSql = (column: Column): string =>
  `UPDATE ${column.table} SET ${column.column} = ? WHERE (${column.key.join(', ')}) = (${marks(column)}) AND ${column.column} = ?`;

/** A value of a key, or null before the first one. */
interface Position {
  readonly column: number;
  readonly key: readonly unknown[] | null;
}

type PageRow = Readonly<Record<string, unknown>> & {
  readonly sealed: Uint8Array;
  readonly owner: Uint8Array | string;
};

/**
 * @param read runs statements in the reader thread
 * @param write runs statements in the writer thread, in one transaction
 */
export function createSecretStore(read: RunStatements, write: RunStatements): SecretStore {
  return {
    async getOrAdd(name, sealed) {
      const [, stored] = await write([
        ['INSERT INTO service_secrets VALUES (?, ?) ON CONFLICT DO NOTHING', [name, sealed]],
        ['SELECT sealed FROM service_secrets WHERE name = ?', [name]],
      ]);
      return (stored!.rows[0] as { readonly sealed: Uint8Array }).sealed;
    },
    async delete(name) {
      await write([['DELETE FROM service_secrets WHERE name = ?', [name]]]);
    },
    async keyIds() {
      const [result] = await read([['SELECT id FROM encryption_keys ORDER BY id', []]]);
      return (result!.rows as { id: string }[]).map(({ id }) => id);
    },
    async addKeyId(keyId, now) {
      await write([['INSERT INTO encryption_keys VALUES (?, ?) ON CONFLICT DO NOTHING', [keyId, now]]]);
    },
    async removeKeyIds(keyIds) {
      if (keyIds.length > 0)
        await write(keyIds.map((id): Statement => ['DELETE FROM encryption_keys WHERE id = ?', [id]]));
    },
    async counts() {
      const results = await read(SEALED_COLUMNS.map((column): Statement => [countSql(column), []]));
      return SEALED_COLUMNS.flatMap(({ purpose }, index) =>
        countsOf(purpose, results[index]!.rows as CountRow[]),
      );
    },
    async sealedOtherwise(keyId, after) {
      const position = (after as Position | null) ?? { column: 0, key: null };
      const column = SEALED_COLUMNS[position.column]!;
      const [result] = await read([[pageSql(column, position.key === null), position.key ?? []]]);
      const rows = result!.rows as PageRow[];
      const values = rows
        .map((row) => sealedValue(column, position.column, row))
        .filter(({ sealed }) => sealKeyId(sealed) !== keyId);
      return { values, next: nextPosition(position, column, rows) };
    },
    async replace(changes) {
      if (changes.length === 0) return 0;
      const results = await write(
        changes.map(({ value, sealed }): Statement => {
          const { column, key } = value.place as Required<Position>;
          return [replaceSql(SEALED_COLUMNS[column]!), [sealed, ...key!, value.sealed]];
        }),
      );
      return results.reduce((sum, { changes: replaced }) => sum + replaced, 0);
    },
    async deleteSealedWith(keyId) {
      const counts = await this.counts();
      const count = counts.reduce((sum, row) => (row.keyId === keyId ? sum + row.count : sum), 0);
      await write(
        SEALED_COLUMNS.flatMap(({ column, deletions }) =>
          deletions.map(
            (sql): Statement => [sql.replace(':is_sealed', `substr(${column}, 1, 5) = ?`), [prefixOf(keyId)]],
          ),
        ),
      );
      return count;
    },
  };
}

const countsOf = (purpose: SealPurpose, rows: readonly CountRow[]): readonly SealedCount[] =>
  rows.map(({ prefix, count }) => ({
    purpose,
    keyId: prefix.length === 5 && prefix[0] === 1 ? Buffer.from(prefix).toString('hex').slice(2) : null,
    count,
  }));

function sealedValue(column: Column, index: number, row: PageRow): SealedValue {
  const owner = typeof row.owner === 'string' ? row.owner : uuidText(row.owner);
  const key = column.key.map((name) => row[name]);
  return { purpose: column.purpose, owner, sealed: row.sealed, place: { column: index, key } };
}

function nextPosition(position: Position, { key }: Column, rows: readonly PageRow[]): Position | null {
  const last = rows.at(-1);
  if (last !== undefined && rows.length === PAGE_ROWS)
    return { column: position.column, key: key.map((name) => last[name]) };
  return position.column + 1 < SEALED_COLUMNS.length ? { column: position.column + 1, key: null } : null;
}
