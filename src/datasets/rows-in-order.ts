import type { StoredRow } from '../domain/datasets.ts';

/**
 * Reads rows in the order of `numbers`, at most `size` at once. `read` may give fewer than it was asked for, because their size is
 * limited; what does not exist is left out.
 */
export async function* rowsInOrder(
  read: (numbers: readonly number[]) => Promise<readonly StoredRow[]>,
  numbers: readonly number[],
  size: number,
): AsyncGenerator<readonly StoredRow[]> {
  for (let rest = numbers; rest.length > 0; ) {
    const part = rest.slice(0, size);
    const rows = await read(part);
    yield rows;
    const last = rows.at(-1)?.row;
    rest = rest.slice(last === undefined ? part.length : part.indexOf(last) + 1);
  }
}
