import { type RawBuilder, sql } from 'kysely';
import type { ItemState } from '../../../../domain/jobs.ts';
import type { ItemCursor, ItemPage, ItemQuery, ItemSort, JobStore } from '../../../../ports/jobs.ts';
import { decodeRow } from '../../schema/columns.ts';
import { type Db, ITEM_COLUMNS, idBytes, type ListedItem } from '../../schema/tables.ts';
import { statementOf } from '../query-compiler.ts';
import type { RunStatements } from '../statements.ts';
import type { JobDialect } from './job-dialect.ts';
import { folderQueries } from './job-folders.ts';

/** Items that a page with conditions, or with states in an order without an index for them, looks at. */
const MAX_SEARCHED = 10_000;

const COLUMNS = sql.raw(Object.keys(ITEM_COLUMNS).join(', '));
/** Columns of the orders. Items without a value are not in the list. */
const SORT_COLUMNS: Readonly<Record<ItemSort, keyof typeof ITEM_COLUMNS>> = {
  item: 'item',
  ended: 'n',
  status_code: 'status_code',
  bytes: 'bytes',
};
/** Orders with an index for each state. */
const BY_STATE: ReadonlySet<ItemSort> = new Set(['item', 'ended']);

/** ASCII letters in lower case, as `lower` of both databases makes them. */
const lowered = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** As the text is written in URLs. */
function encoded(text: string): string {
  try {
    return encodeURI(text);
  } catch {
    // Half of a surrogate pair.
    return text;
  }
}

interface SliceOptions extends Pick<ItemQuery, 'sort' | 'descending' | 'after'> {
  readonly jobId: Uint8Array;
  readonly states: readonly ItemState[] | null;
  readonly limit: number;
}

/** The next items, in their order. Of several states, those of each come from their index. */
function slice({ jobId, states, sort, descending, after, limit }: SliceOptions): RawBuilder<ListedItem> {
  const key = sql.raw(SORT_COLUMNS[sort]);
  const order = sql.raw(descending ? 'DESC' : 'ASC');
  const compare = sql.raw(descending ? '<' : '>');
  const past =
    after === null
      ? sql``
      : sort === 'item'
        ? sql` AND item ${compare} ${after.item}`
        : sql` AND (${key}, item) ${compare} (${after.value}, ${after.item})`;
  const present = sort === 'item' ? sql`` : sql` AND ${key} IS NOT NULL`;
  const part = (state: string) =>
    sql`SELECT * FROM (SELECT ${COLUMNS} FROM job_items WHERE job_id = ${jobId}${sql.raw(state)}${present}${past}
ORDER BY ${key} ${order}, item ${order} LIMIT ${limit}) AS part`;
  const parts = states === null ? [part('')] : states.map((state) => part(` AND state = '${state}'`));
  return sql`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS slice
ORDER BY ${key} ${order}, item ${order} LIMIT ${limit}`;
}

/** Lists of the items of a job, in pages. */
export function createItemList(db: Db, read: RunStatements, dialect: JobDialect): Pick<JobStore, 'itemPage'> {
  const at = sql.raw(dialect.position);
  const { isInFolder } = folderQueries(dialect);
  const statement = (query: RawBuilder<unknown>) => statementOf({ compile: () => query.compile(db) });

  const matches = (search: string) =>
    sql`${at}(lower(url), ${lowered(search)}) > 0 OR ${at}(lower(url), ${lowered(encoded(search))}) > 0
OR ${at}(lower(coalesce(title, '')), ${lowered(search)}) > 0`;

  /** Conditions without an index; null: there are none. */
  function conditions({ search, folder, errorCode }: ItemQuery): RawBuilder<unknown> | null {
    const all = [
      ...(search === null ? [] : [sql`(${matches(search)})`]),
      ...(folder === '' ? [] : [isInFolder(folder)]),
      ...(errorCode === null
        ? []
        : [sql`${at}(coalesce(error, ''), ${`{"code":${JSON.stringify(errorCode)},`}) = 1`]),
    ];
    return all.length === 0 ? null : sql.join(all, sql` AND `);
  }

  return {
    async itemPage(jobId, query): Promise<ItemPage> {
      const { states, sort, limit } = query;
      const found = conditions(query);
      const cursorOf = (row: Pick<ListedItem, 'item'>): ItemCursor => ({
        value: (row as ListedItem)[SORT_COLUMNS[sort]] as number,
        item: row.item,
      });
      const isIndexed = states === null || BY_STATE.has(sort);
      const source = { ...query, jobId: idBytes(jobId), states: isIndexed ? states : null };
      if (isIndexed && found === null) {
        const [result] = await read([statement(slice({ ...source, limit: limit + 1 }))]);
        const rows = result!.rows as readonly ListedItem[];
        const items = rows.slice(0, limit);
        return {
          items: items.map((row) => decodeRow(ITEM_COLUMNS, row)),
          next: rows.length > limit ? cursorOf(items.at(-1)!) : null,
        };
      }
      const searched = slice({ ...source, limit: MAX_SEARCHED });
      const key = sql.raw(SORT_COLUMNS[sort]);
      const order = sql.raw(query.descending ? 'DESC' : 'ASC');
      const ofStates = isIndexed ? sql`1 = 1` : sql`state IN (${sql.join([...states!])})`;
      const [result, last] = await read([
        statement(sql`SELECT * FROM (${searched}) AS searched WHERE ${ofStates} AND ${found ?? sql`1 = 1`}
ORDER BY ${key} ${order}, item ${order} LIMIT ${limit + 1}`),
        statement(sql`SELECT ${key}, item FROM (${searched}) AS searched
ORDER BY ${key} ${order}, item ${order} LIMIT 1 OFFSET ${MAX_SEARCHED - 1}`),
      ]);
      const rows = result!.rows as readonly ListedItem[];
      const items = rows.slice(0, limit);
      const [end] = last!.rows as readonly ListedItem[];
      return {
        items: items.map((row) => decodeRow(ITEM_COLUMNS, row)),
        next: rows.length > limit ? cursorOf(items.at(-1)!) : end === undefined ? null : cursorOf(end),
      };
    },
  };
}
