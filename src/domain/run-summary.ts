import type { RunResult } from './monitors.ts';

const MAX_FIELDS = 3;

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** What a run of a monitor found, in a line. */
export function runSummary({
  state,
  reason,
  added,
  removed,
  fields,
  picture,
  counts,
}: Omit<RunResult, 'pages'>): string {
  if (state === 'error')
    return reason === 'signed_out'
      ? 'The page asks for a sign-in.'
      : `The page could not be compared (${reason ?? 'unknown'}).`;
  if (state === 'gone') return 'The page is gone.';
  if (state === 'back') return 'The page is back.';
  if (state === 'first') return 'The first run: later ones are compared with it.';
  if (state === 'same') return 'Nothing has changed.';
  if (counts !== null) {
    const parts = [
      counts.new > 0 && `${counted(counts.new, 'page')} new`,
      counts.changed > 0 && `${counts.changed} changed`,
      counts.gone > 0 && `${counts.gone} gone`,
      counts.error > 0 && `${counts.error} not got`,
    ];
    return `${parts.filter((part) => part !== false).join(', ')}.`;
  }
  if (picture !== null) return `${Number((picture.share * 100).toPrecision(2))} % of the picture differ.`;
  if (fields.length > 0) {
    const paths = fields.slice(0, MAX_FIELDS).map(({ path }) => path.slice(0, 80));
    const more = fields.length > MAX_FIELDS ? ', …' : '';
    return `${counted(fields.length, 'value')} changed: ${paths.join(', ')}${more}`;
  }
  if (added + removed === 0) return 'The content is another one.';
  return added === 0
    ? `${counted(removed, 'line')} removed.`
    : `${counted(added, 'line')} added, ${removed} removed.`;
}
