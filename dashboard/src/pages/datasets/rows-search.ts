import type { RowsFilter } from '../../api/datasets.ts';
import { integerIn, textIn } from '../../app/urls.ts';

/** Which rows are shown, as the API names it. */
export const readRowsSearch = (search: Readonly<Record<string, unknown>>): RowsFilter => ({
  run: integerIn(search, 'run', 1, Number.MAX_SAFE_INTEGER),
  sort: textIn(search, 'sort'),
  filter: textIn(search, 'filter'),
  diff_to: integerIn(search, 'diff_to', 1, Number.MAX_SAFE_INTEGER),
});
