import { Known } from './known.ts';
import { SIGNS } from './signs.ts';
import { WAYS } from './ways.ts';

/** What is remembered of a site. */
export interface Site {
  readonly all: Known;
  /** The only kind of page that was seen; it is known by `all`. Null: there are several. */
  only: string | null;
  paths: Map<string, Known> | null;
}

/** Places of ways and signs mean something only in these tables: what was kept by others is not read. */
export const TABLES_NAME = `1 ${WAYS.map(({ name }) => name).join(',')} ${SIGNS.join(',')}`;

interface KnownText {
  readonly at: number;
  readonly cells: readonly number[];
  readonly seen: number;
  readonly paid?: readonly number[];
  readonly weight?: number;
}

/** As JSON, to be kept. */
export function siteText({ all, only, paths }: Site): string {
  const others = paths === null ? null : [...paths].map(([pattern, known]) => [pattern, textOf(known)]);
  return JSON.stringify({ tables: TABLES_NAME, all: textOf(all), only, paths: others });
}

const textOf = ({ at, cells, seen, paid, weight }: Known): KnownText => ({
  at,
  cells,
  seen,
  ...(paid === null ? null : { paid }),
  ...(weight === null ? null : { weight }),
});

/** What `siteText` gave; null: it is of other tables, or nothing that can be read. */
export function readSite(text: string): Site | null {
  let given: Partial<Record<string, unknown>>;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  if (given === null || typeof given !== 'object' || given.tables !== TABLES_NAME) return null;
  const all = knownOf(given.all);
  if (all === null) return null;
  if (typeof given.only === 'string') return { all, only: given.only, paths: null };
  if (!Array.isArray(given.paths)) return null;
  const paths = new Map<string, Known>();
  for (const [pattern, one] of given.paths) {
    const known = knownOf(one);
    if (known === null || typeof pattern !== 'string') return null;
    paths.set(pattern, known);
  }
  return { all, only: null, paths };
}

const CELLS = WAYS.length * SIGNS.length;

function knownOf(given: unknown): Known | null {
  const { at, cells, seen, paid = [], weight = null } = (given ?? {}) as Partial<KnownText>;
  if (!Number.isFinite(at) || !Number.isSafeInteger(seen) || !areNumbers(cells) || !areNumbers(paid))
    return null;
  const known = new Known(at!);
  if (!cells.every((cell) => Number.isSafeInteger(cell) && cell >= 0 && known.placeOf(cell) < CELLS))
    return null;
  known.cells = [...cells];
  known.seen = seen!;
  known.paid = paid.length === 0 ? null : [...paid];
  if (Number.isFinite(weight) && weight! > 0) known.weight = weight;
  return known;
}

const areNumbers = (given: unknown): given is readonly number[] =>
  Array.isArray(given) && given.every((one) => Number.isFinite(one));
