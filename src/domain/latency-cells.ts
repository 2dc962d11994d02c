/** From one edge to the next; the middle of a cell is within 4.5 % of all in it. */
const FACTOR = 1.09;
const LOG_FACTOR = Math.log(FACTOR);
const FIRST_EDGE_MS = 0.1;
/** Its upper edge is at 19 minutes; no scrape takes longer than 5. */
const LAST_CELL = 188;

/** Which cell of a fixed logarithmic histogram a duration falls into. */
export function latencyCell(ms: number): number {
  if (!(ms > FIRST_EDGE_MS)) return 0;
  return Math.min(Math.floor(Math.log(ms / FIRST_EDGE_MS) / LOG_FACTOR), LAST_CELL);
}

/**
 * The duration (ms) that this part of the counted ones does not exceed, within 5 %; null: none was counted.
 * @param counts cell → how many. @param part 0.5: the median
 */
export function percentile(counts: ReadonlyMap<number, number>, part: number): number | null {
  let total = 0;
  for (const count of counts.values()) total += count;
  if (total === 0) return null;
  // Nearest rank: the smallest value with at least this part at or below it.
  let left = Math.max(1, Math.ceil(total * part));
  for (const cell of [...counts.keys()].sort((a, b) => a - b)) {
    left -= counts.get(cell)!;
    if (left <= 0) return middleOf(cell);
  }
  return null;
}

const middleOf = (cell: number): number =>
  Number((FIRST_EDGE_MS * Math.exp(LOG_FACTOR * (cell + 0.5))).toPrecision(4));
