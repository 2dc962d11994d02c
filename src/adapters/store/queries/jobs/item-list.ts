import { type RawBuilder, sql } from 'kysely';
import type { ItemCursor, ItemPage, ItemQuery, ItemSort } from '../../../../domain/job-lists.ts';
import type { ItemState } from '../../../../domain/jobs.ts';
import { lowered } from '../../../../domain/run-lists.ts';
import type { JobStore } from '../../../../ports/jobs.ts';
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
/** The index for each state by orders. */
const STATE_INDEXES: Readonly<Partial<Record<ItemSort, string>>> = {
  item: 'job_items_state',
  ended: 'job_items_ended',
};

/** As the text is written in URLs. */
function encoded(text: string): string {
  try {
    return encodeURI(text);
  } catch {
    // Half of a surrogate pair.
    return text;
  }
}

type Order = Pick<ItemQuery, 'sort' | 'descending'>;

const orderOf = ({ sort, descending }: Order): RawBuilder<unknown> => {
  const direction = descending ? 'DESC' : 'ASC';
  return sql.raw(
    sort === 'item' ? `item ${direction}` : `${SORT_COLUMNS[sort]} ${direction}, item ${direction}`,
  );
};

/** The next items of a state, in their order, by its index. @param state null: items of all states */
function slice(
  { indexedBy }: JobDialect,
  jobId: Uint8Array,
  state: ItemState | null,
  { after, ...order }: Order & Pick<ItemQuery, 'after'>,
  limit: number,
): RawBuilder<unknown> {
  const { sort, descending } = order;
  const key = SORT_COLUMNS[sort];
  const compare = sql.raw(descending ? '<' : '>');
  const past =
    after === null
      ? sql``
      : sort === 'item'
        ? sql` AND item ${compare} ${after.item}`
        : sql` AND (${sql.raw(key)}, item) ${compare} (${after.value}, ${after.item})`;
  const only = `${state === null ? '' : ` AND state = '${state}'`}${sort === 'item' ? '' : ` AND ${key} IS NOT NULL`}`;
  const index = state === null ? sql`` : indexedBy(STATE_INDEXES[sort]!);
  return sql`SELECT ${COLUMNS} FROM job_items${index} WHERE job_id = ${jobId}${sql.raw(only)}${past}
ORDER BY ${orderOf(order)} LIMIT ${limit}`;
}

/** Lists of the items of a job, in pages. */
export function createItemList(db: Db, read: RunStatements, dialect: JobDialect): Pick<JobStore, 'itemPage'> {
  const at = sql.raw(dialect.position);
  const { isInFolder } = folderQueries(dialect);
  const statement = (query: RawBuilder<unknown>) => statementOf({ compile: () => query.compile(db) });

  const matches = (search: string) =>
    sql`${at}(lower(url), ${lowered(search)}) > 0 OR ${at}(lower(url), ${lowered(encoded(search))}) > 0
OR ${at}(lower(coalesce(title, '')), ${lowered(search)}) > 0`;

  /** Conditions without an index; null: there are none. @param isIndexed whether there is one for the states in this order */
  function conditions(
    { states, search, folder, errorCode }: ItemQuery,
    isIndexed: boolean,
  ): RawBuilder<unknown> | null {
    const all = [
      ...(isIndexed ? [] : [sql`state IN (${sql.join([...states!])})`]),
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
      const { states, sort, descending, limit } = query;
      const key = SORT_COLUMNS[sort];
      const cursorOf = (row: ListedItem): ItemCursor => ({ value: row[key] as number, item: row.item });
      /** Below 0: the first one comes first. */
      const compared = (one: ItemCursor, other: ItemCursor) =>
        (one.value - other.value || one.item - other.item) * (descending ? -1 : 1);
      const isIndexed = states === null || STATE_INDEXES[sort] !== undefined;
      const found = conditions(query, isIndexed);
      const parts = isIndexed ? (states ?? [null]) : [null];
      const results = await read(
        parts.flatMap((state) => {
          if (found === null) return [statement(slice(dialect, idBytes(jobId), state, query, limit + 1))];
          const searched = slice(dialect, idBytes(jobId), state, query, MAX_SEARCHED);
          const order = orderOf(query);
          return [
            statement(
              sql`SELECT * FROM (${searched}) AS searched WHERE ${found} ORDER BY ${order} LIMIT ${limit + 1}`,
            ),
            statement(
              sql`SELECT * FROM (${searched}) AS searched ORDER BY ${order} LIMIT 1 OFFSET ${MAX_SEARCHED - 1}`,
            ),
          ];
        }),
      );
      const pages = results.filter((_, index) => found === null || index % 2 === 0);
      // Where the search of a state ended before its last item. What others found behind that place comes with the next page.
      const ends = results.flatMap(({ rows }, index) =>
        found === null || index % 2 === 0 ? [] : (rows as ListedItem[]).map(cursorOf),
      );
      const [end = null] = ends.sort(compared);
      const rows = pages
        .flatMap((page) => page.rows as ListedItem[])
        .filter((row) => end === null || compared(cursorOf(row), end) <= 0)
        .sort((one, other) => compared(cursorOf(one), cursorOf(other)));
      const items = rows.slice(0, limit);
      return {
        items: items.map((row) => decodeRow(ITEM_COLUMNS, row)),
        next: rows.length > limit ? cursorOf(items.at(-1)!) : end,
      };
    },
  };
}
