import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Change } from '../../api/monitors.ts';
import { screenshotUrl } from '../../result/picture-url.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatShare } from '../../ui/format.ts';
import { urlText } from '../../ui/host-text.ts';
import { type ComparedIds, DatedHeading } from './dated-heading.tsx';
import { type DiffLayout, DiffView, type OnIgnore } from './diff-view.tsx';
import classes from './monitors.module.css';
import { ChangePill, linesText, reasonText } from './run-state.tsx';

type Difference = Pick<Change, 'diff' | 'fields' | 'picture' | 'previous_id' | 'reason'>;

interface DifferenceProps {
  readonly difference: Difference;
  readonly scrapeId: string | null;
  readonly layout: DiffLayout;
  readonly onIgnore: OnIgnore | null;
}

/** What differs on a page: lines, fields or pixels. Renders nothing if there is nothing to compare. */
function DifferenceView({ difference, scrapeId, layout, onIgnore }: DifferenceProps) {
  const { diff, fields, picture, previous_id: previousId } = difference;
  const ids = { before: previousId, after: scrapeId };
  return (
    <>
      {diff !== null && <DiffView diff={diff} ids={ids} layout={layout} onIgnore={onIgnore} />}
      {fields.length > 0 && <FieldsTable fields={fields} ids={ids} />}
      {picture !== null && (
        <>
          <p className={classes.body}>
            <Trans>{formatShare(picture.share, 1)} of the pixels differ.</Trans>
          </p>
          {previousId !== null && scrapeId !== null && (
            <div className={classes.pictures}>
              {PICTURES.map(([when, label, alt]) => (
                <figure key={when}>
                  <figcaption>
                    <DatedHeading id={ids[when]}>{label}</DatedHeading>
                  </figcaption>
                  <img src={screenshotUrl(ids[when]!)} alt={alt} />
                </figure>
              ))}
            </div>
          )}
        </>
      )}
    </>
  );
}

const PICTURES = [
  ['before', t`Before`, t`The page before`],
  ['after', t`After`, t`The page after`],
] as const;

interface ChangeViewProps {
  readonly change: Change;
  readonly scrapeId: string | null;
  readonly layout: DiffLayout;
  readonly onIgnore: OnIgnore | null;
}

/** Pages of a run that are shown. */
const MAX_PAGES = 100;

/** What a run found. */
export function ChangeView({ change, scrapeId, layout, onIgnore }: ChangeViewProps) {
  const { state, pages, counts } = change;
  return (
    <>
      {counts !== null && <p className={classes.body}>{pagesText(counts, change.incomplete)}</p>}
      {SENTENCES[state] !== undefined && counts === null && (
        <p className={classes.body}>{SENTENCES[state]}</p>
      )}
      {state === 'error' && <p className={classes.body}>{reasonText(change.reason)}</p>}
      <DifferenceView difference={change} scrapeId={scrapeId} layout={layout} onIgnore={onIgnore} />
      {pages.slice(0, MAX_PAGES).map((page) => (
        <details key={page.url} className={classes.page} open={pages.length === 1}>
          <summary>
            <ChangePill state={page.state} /> {urlText(page.url)} {linesText(page)}
          </summary>
          {page.state === 'error' && <p className={classes.body}>{reasonText(page.reason)}</p>}
          <DifferenceView difference={page} scrapeId={page.scrape_id} layout={layout} onIgnore={onIgnore} />
        </details>
      ))}
    </>
  );
}

const COUNTS: readonly (readonly [state: keyof NonNullable<Change['counts']>, (count: number) => string])[] =
  [
    ['new', (count) => plural(count, { one: '# new', other: '# new' })],
    ['changed', (count) => plural(count, { one: '# changed', other: '# changed' })],
    ['gone', (count) => plural(count, { one: '# gone', other: '# gone' })],
    ['same', (count) => plural(count, { one: '# the same', other: '# the same' })],
    ['error', (count) => plural(count, { one: '# not compared', other: '# not compared' })],
  ];

/** `2 new · 1 changed · 40 the same`, and whether all pages were seen. */
function pagesText(counts: NonNullable<Change['counts']>, incomplete: string | null): string {
  const found = COUNTS.filter(([state]) => counts[state] > 0).map(([state, text]) => text(counts[state]));
  const text = found.length === 0 ? t`No pages` : found.join(' · ');
  return incomplete === null
    ? `${text}.`
    : t`${text}. Not all pages were seen (${incomplete}), so pages that were not found do not count as gone.`;
}

const SENTENCES: Partial<Record<Change['state'], string>> = {
  first: t`The first run: later ones are compared with it.`,
  same: t`Nothing that counts has changed.`,
  gone: t`The page does not exist any more.`,
  back: t`The page exists again.`,
};

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 1);

interface FieldsTableProps {
  readonly fields: Change['fields'];
  readonly ids: ComparedIds;
}

function FieldsTable({ fields, ids }: FieldsTableProps) {
  return (
    <DataTable
      caption={t`Changed fields`}
      columns={[
        { label: t`Field`, cell: ({ path }) => <code className="mono">{path}</code> },
        {
          label: <DatedHeading id={ids.before}>{t`Before`}</DatedHeading>,
          className: classes.value,
          cell: ({ before }) => valueText(before),
        },
        {
          label: <DatedHeading id={ids.after}>{t`After`}</DatedHeading>,
          className: classes.value,
          cell: ({ after }) => valueText(after),
        },
      ]}
      rows={fields}
      rowKey={({ path }) => path}
    />
  );
}
