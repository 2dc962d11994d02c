import type { DatasetRun, StoredRow } from '../domain/datasets.ts';
import type { DatasetStore, RowPair } from '../ports/datasets.ts';
import { rowsInOrder } from './rows-in-order.ts';

/** Where a page of differences continues: among the rows of the run, or among those that are gone. */
export interface DiffPlace {
  readonly phase: 'run' | 'gone';
  readonly row: number;
}

/** A row that differs between two runs. */
interface RowDifference {
  /** null: the row is gone. */
  readonly now: StoredRow | null;
  /** null: the row is new. */
  readonly before: StoredRow | null;
}

/** Rows that one query compares. */
const COMPARED_ROWS = 1_000;
/** Queries of one page. Then it ends, and may have fewer rows than were asked for. */
const MAX_COMPARISONS = 20;
/** Calls that read the rows that differ, each about 1 MiB. */
const MAX_ROW_READS = 8;

/**
 * A page of the rows of run `now` that are new or have changed since run `before`, then those that are gone. It compares a bounded
 * number of rows.
 */
export async function compareRuns(
  store: DatasetStore,
  dataset: number,
  { now, before }: { readonly now: DatasetRun; readonly before: DatasetRun },
  place: DiffPlace,
  limit: number,
): Promise<{ readonly rows: readonly RowDifference[]; readonly next: DiffPlace | null }> {
  const rows: RowDifference[] = [];
  let { phase, row } = place;
  for (let compared = 0; compared < MAX_COMPARISONS; compared++) {
    const isGone = phase === 'gone';
    const [of, other] = isGone ? [before, now] : [now, before];
    const first = Math.max(row, of.firstRow);
    const last = Math.min(first + COMPARED_ROWS - 1, of.lastRow);
    const wanted = limit - rows.length;
    const span = { first, last, ...(isGone && { only: 'missing' as const }) };
    const pairs =
      first > last ? [] : await store.differing(dataset, { of: of.n, other: other.n }, span, wanted);
    const { found, isWhole } = await rowsOfPairs(store, dataset, pairs);
    for (const pair of pairs) {
      const own = found.get(pair.row);
      const previous = pair.other === null ? null : found.get(pair.other);
      if (own !== undefined && previous !== undefined)
        rows.push(isGone ? { now: null, before: own } : { now: own, before: previous });
      else if (!isWhole) return { rows, next: { phase, row: pair.row } };
    }
    row = pairs.length === wanted ? pairs.at(-1)!.row + 1 : last + 1;
    if (row > of.lastRow) {
      if (isGone) return { rows, next: null };
      [phase, row] = ['gone', 0];
    }
    if (rows.length >= limit) break;
  }
  return { rows, next: { phase, row } };
}

/** The rows of the first pairs, as far as their size allows. */
async function rowsOfPairs(store: DatasetStore, dataset: number, pairs: readonly RowPair[]) {
  const numbers = pairs.flatMap(({ row, other }) => (other === null ? [row] : [row, other]));
  const found = new Map<number, StoredRow>();
  let reads = 0;
  for await (const rows of rowsInOrder((some) => store.rowsOf(dataset, some), numbers, numbers.length)) {
    for (const row of rows) found.set(row.row, row);
    if (++reads === MAX_ROW_READS) return { found, isWhole: false };
  }
  return { found, isWhole: true };
}
