import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, SegmentedControl, Switch } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Schema } from '../../api/client.ts';
import { type Base, baseQuery, earlierRecordsQuery, okOfHostQuery } from '../../api/earlier-records.ts';
import { type ComparedFormat, differenceQuery, scrapeQuery, scrapeRequestQuery } from '../../api/scrapes.ts';
import { screenshotUrl } from '../../result/picture-url.ts';
import { PHASES } from '../../result/timing-panel.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatBytes, formatCount, formatDuration, formatLocal } from '../../ui/format.ts';
import { urlText } from '../../ui/host-text.ts';
import { IconArrowLeft, IconSearch } from '../../ui/icons.tsx';
import { OUTCOMES, OutcomeBadge } from '../../ui/outcome.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import { useListOfRecord } from '../history/list-state.ts';
import { DiffView } from '../monitors/diff-view.tsx';
import classes from './compare.module.css';

const compareRoute = getRouteApi('/signed-in/history/compare');

type Stored = Schema<'ScrapeRecord'>;

/** What differs between two records. Without `before`: see `baseQuery`. */
export function ComparePage() {
  const search = compareRoute.useSearch();
  const { state } = useListOfRecord();
  const after = useRecord(search.after);
  const base = useQuery({
    ...baseQuery(
      { id: search.after ?? '', url: after.url ?? '', createdAt: after.record?.router.created_at ?? '' },
      after.record?.router.outcome ?? 'ok',
    ),
    enabled: search.before === undefined && after.record !== undefined && after.url !== undefined,
  });
  const beforeId = search.before ?? base.data?.id;
  const before = useRecord(beforeId);
  const error = after.error ?? before.error ?? base.error;
  if (error !== null) return <ErrorState error={error} />;
  const isMissing = base.data === null || (after.url === undefined && after.record !== undefined);
  if (search.after === undefined || (search.before === undefined && isMissing))
    return <NothingToCompare after={search.after} />;
  if (after.record === undefined || beforeId === undefined) return <PageSkeleton />;
  return (
    <>
      <PageHeader
        title={t`What changed`}
        back={
          <TextLink
            to="/history/$id"
            params={{ id: after.record.id }}
            state={state}
            size="sm"
            className={classes.back}
          >
            <IconArrowLeft size={14} /> <Trans>Record</Trans>
          </TextLink>
        }
        description={before.record !== undefined && <Urls before={before.url} after={after.url} />}
        actions={
          after.url !== undefined && <EarlierSelect {...{ beforeId }} after={after.record} url={after.url} />
        }
      />
      {before.record === undefined ? (
        <PageSkeleton />
      ) : (
        <div className={classes.panels}>
          {search.before === undefined && after.record.router.outcome !== 'ok' && base.data != null && (
            <p className={classes.choice}>{CHOICES[base.data.choice]}</p>
          )}
          <FactsPanel before={before.record} after={after.record} />
          <ContentPanel before={before.record} after={after.record} />
          <PicturesPanel before={before.record} after={after.record} />
          <TimingPanel before={before.record} after={after.record} />
          <HeadersPanel before={before.record.headers} after={after.record.headers} />
        </div>
      )}
    </>
  );
}

/** Why a record was chosen to be compared with one that is not OK. */
const CHOICES: Readonly<Record<Base['choice'], string>> = {
  ok_of_url: t`This response is not OK. It is compared with the last OK response of the same URL.`,
  previous: t`This response is not OK, and no earlier OK response of this URL is stored. It is compared with the record before.`,
  ok_of_host: t`This response is not OK, and no earlier record of this URL is stored. It is compared with the last OK response of the same host.`,
};

interface EarlierSelectProps {
  readonly beforeId: string;
  readonly after: Stored;
  /** Of `after`. */
  readonly url: string;
}

/**
 * Chooses with which earlier record of the same URL a record is compared; if none of them was OK, also the last OK one of the
 * host. Renders nothing without a choice.
 */
function EarlierSelect({ beforeId, after, url }: EarlierSelectProps) {
  const navigate = compareRoute.useNavigate();
  const record = { id: after.id, url, createdAt: after.router.created_at };
  const { data: ofUrl } = useQuery(earlierRecordsQuery(record));
  // For a record that is OK, others of that kind are nothing special.
  const isOk = after.router.outcome === 'ok';
  const lastOk = isOk ? undefined : ofUrl?.find(({ outcome }) => outcome === 'ok');
  const { data: ofHost } = useQuery({
    ...okOfHostQuery(record),
    enabled: !isOk && ofUrl !== undefined && lastOk === undefined,
  });
  const earlier = [
    ...(ofUrl ?? []).map(({ id, created_at, outcome }) => ({
      value: id,
      label:
        id === lastOk?.id
          ? t`${formatLocal(created_at)} · last OK response`
          : `${formatLocal(created_at)} · ${OUTCOMES[outcome].label}`,
    })),
    ...(ofHost == null
      ? []
      : [
          {
            value: ofHost.id,
            label: t`${formatLocal(ofHost.created_at)} · last OK response, of another URL`,
          },
        ]),
  ];
  const isListed = earlier.some(({ value }) => value === beforeId);
  if (earlier.length < (isListed ? 2 : 1)) return null;
  return (
    <NativeSelect
      label={t`Compare with`}
      size="xs"
      value={isListed ? beforeId : ''}
      data={[...(isListed ? [] : [{ value: '', label: t`Another record`, disabled: true }]), ...earlier]}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ search: (old) => ({ ...old, before: value }), state: true, replace: true })
      }
    />
  );
}

function useRecord(id: string | undefined) {
  const record = useQuery({ ...scrapeQuery(id ?? ''), enabled: id !== undefined });
  const isStored = record.data !== undefined && !('state' in record.data);
  const request = useQuery({ ...scrapeRequestQuery(id ?? ''), enabled: isStored, retry: false });
  const url = request.data?.url;
  return {
    record: isStored && !request.isLoading ? (record.data as Stored) : undefined,
    url: typeof url === 'string' ? url : undefined,
    error: record.error,
  };
}

function NothingToCompare({ after }: { readonly after: string | undefined }) {
  return (
    <EmptyState
      icon={IconSearch}
      title={t`Nothing to compare with`}
      level={1}
      action={
        <ButtonLink to="/history" variant="default">
          <Trans>Open the history</Trans>
        </ButtonLink>
      }
    >
      {after === undefined
        ? t`Select two records in the history, then Compare.`
        : t`No earlier record to compare with is stored. Select any two records in the history, then Compare.`}
    </EmptyState>
  );
}

function Urls({
  before,
  after,
}: {
  readonly before: string | undefined;
  readonly after: string | undefined;
}) {
  const isSame = before === after;
  return (
    <span className="mono" dir="ltr">
      {isSame ? readable(after) : `${readable(before)} → ${readable(after)}`}
    </span>
  );
}

function readable(url: string | undefined): string {
  return url === undefined ? t`a URL that was not stored` : urlText(url);
}

interface PairProps {
  readonly before: Stored;
  readonly after: Stored;
}

type Row = readonly [name: string, before: ReactNode, after: ReactNode, differs: boolean];

function PairTable({ caption, rows }: { readonly caption: string; readonly rows: readonly Row[] }) {
  return (
    <DataTable caption={caption} columns={[caption, t`Before`, t`After`]}>
      {rows.map(([name, before, after, differs]) => (
        <tr key={name} data-differs={differs || undefined} className={classes.row}>
          <th scope="row">
            {name}
            {differs && (
              <span className={classes.mark}>
                {' '}
                <Trans>changed</Trans>
              </span>
            )}
          </th>
          <td>{before}</td>
          <td>{after}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function FactsPanel({ before, after }: PairProps) {
  const { state } = useListOfRecord();
  const row = (name: string, of: (record: Stored) => string): Row => [
    name,
    of(before),
    of(after),
    of(before) !== of(after),
  ];
  const link = ({ id, router }: Stored) => (
    <TextLink to="/history/$id" params={{ id }} state={state} size="sm">
      <DateTime at={router.created_at} />
    </TextLink>
  );
  return (
    <Panel title={t`Records`} flush>
      <PairTable
        caption={t`Fact`}
        rows={[
          [t`Record`, link(before), link(after), false],
          [
            t`Outcome`,
            <OutcomeBadge key="before" outcome={before.router.outcome} />,
            <OutcomeBadge key="after" outcome={after.router.outcome} />,
            before.router.outcome !== after.router.outcome,
          ],
          row(t`Target status`, ({ status_code }) => String(status_code ?? '–')),
          row(t`Final URL`, ({ final_url }) => readable(final_url ?? '–')),
          row(t`Scraper`, ({ router }) => router.scraper ?? '–'),
          row(t`Error`, ({ errors }) => errors[0]?.code ?? '–'),
        ]}
      />
    </Panel>
  );
}

const FORMATS: readonly { readonly value: ComparedFormat & string; readonly label: string }[] = [
  { value: 'source', label: t`Source` },
  { value: 'markdown', label: t`Main content` },
  { value: 'text', label: t`Text` },
];

const REASONS: Readonly<Record<string, string>> = {
  no_content: t`One of the records has no content: no page was fetched, or it was not stored.`,
  empty: t`One of the pages has no content in this format.`,
  unreadable: t`One of the contents cannot be read in this format.`,
};

/** The content, line by line. */
function ContentPanel({ before, after }: PairProps) {
  const [format, setFormat] = useState<ComparedFormat & string>('source');
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const { data, error } = useQuery(differenceQuery(before.id, after.id, format));
  return (
    <Panel
      title={t`Content`}
      flush
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t`What is compared`}
          data={[...FORMATS]}
          value={format}
          onChange={(value) => setFormat(FORMATS.find((one) => one.value === value)!.value)}
        />
      }
    >
      <div aria-busy={data === undefined && error === null}>
        {error !== null && <ErrorState error={error} />}
        {data !== undefined && (
          <p className={classes.text}>
            {summaryText(data)}
            {before.content !== null && after.content !== null && (
              <>
                <br />
                {t`Size before: ${formatBytes(sizeOf(before))}. Size after: ${formatBytes(sizeOf(after))}.`}
              </>
            )}
          </p>
        )}
        {data?.diff != null && (
          <DiffView
            diff={data.diff}
            ids={{ before: before.id, after: after.id }}
            layout={isNarrow ? 'unified' : 'split'}
            onIgnore={null}
          />
        )}
      </div>
    </Panel>
  );
}

/** Size of the content in bytes; null: there is none. */
function sizeOf({ content, content_encoding }: Stored): number | null {
  if (content === null) return null;
  if (content_encoding === 'base64') return Math.floor((content.replace(/=+$/, '').length * 3) / 4);
  return new Blob([content]).size;
}

function summaryText({ state, reason, added, removed }: Schema<'ScrapeChange'>): string {
  if (state === 'error')
    return REASONS[reason ?? ''] ?? t`These contents cannot be compared (${reason ?? ''}).`;
  if (state === 'same') return t`The contents are the same.`;
  if (added + removed === 0) return t`The contents differ, and are not text.`;
  return t`Lines added: ${formatCount(added)}. Lines removed: ${formatCount(removed)}.`;
}

/** The screenshots side by side, or one over the other: what is the same is black. Renders nothing without any. */
function PicturesPanel({ before, after }: PairProps) {
  const [over, setOver] = useState(false);
  const pictures = [before, after].map((record) => (record.screenshot_url === null ? null : record.id));
  if (pictures.every((id) => id === null)) return null;
  const isPair = pictures.every((id) => id !== null);
  return (
    <Panel
      title={t`Screenshots`}
      actions={
        isPair && (
          <Switch
            size="xs"
            label={t`Show the difference`}
            checked={over}
            onChange={(event) => setOver(event.currentTarget.checked)}
          />
        )
      }
    >
      {over && isPair ? (
        <figure className={classes.over}>
          <img src={screenshotUrl(pictures[0]!)} alt={t`The page before`} />
          <img src={screenshotUrl(pictures[1]!)} alt={t`The page after, over it`} />
          <figcaption>
            <Trans>Black where the pictures are the same.</Trans>
          </figcaption>
        </figure>
      ) : (
        <div className={classes.pictures}>
          {pictures.map((id, index) => (
            <figure key={index === 0 ? 'before' : 'after'}>
              <figcaption>{index === 0 ? t`Before` : t`After`}</figcaption>
              {id === null ? (
                <p>
                  <Trans>No screenshot.</Trans>
                </p>
              ) : (
                <img src={screenshotUrl(id)} alt={index === 0 ? t`The page before` : t`The page after`} />
              )}
            </figure>
          ))}
        </div>
      )}
    </Panel>
  );
}

function TimingPanel({ before, after }: PairProps) {
  const times = [before.router.timing, after.router.timing];
  const row = (name: (typeof PHASES)[number][0] | 'total', label: string): Row | null => {
    const [old, now] = times.map((timing) => timing?.[name] ?? null);
    if (old === null && now === null) return null;
    const change =
      old == null || now == null ? '' : ` (${now >= old ? '+' : '−'}${formatDuration(Math.abs(now - old))})`;
    return [label, formatDuration(old ?? null), `${formatDuration(now ?? null)}${change}`, false];
  };
  const rows = [...PHASES.map(([name, label]) => row(name, label)), row('total', t`Total`)];
  const shown = rows.filter((one) => one !== null);
  if (shown.length === 0) return null;
  return (
    <Panel title={t`Timing`} flush>
      <PairTable caption={t`Phase`} rows={shown} />
    </Panel>
  );
}

type Headers = Readonly<Record<string, string>>;

/** Response headers; first those that differ. */
function HeadersPanel({ before, after }: { readonly before: Headers; readonly after: Headers }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  if (names.length === 0) return null;
  const rows = names.map(
    (name): Row => [name, before[name] ?? '–', after[name] ?? '–', before[name] !== after[name]],
  );
  return (
    <Panel title={t`Response headers`} flush>
      <PairTable caption={t`Header`} rows={rows.toSorted((a, b) => Number(b[3]) - Number(a[3]))} />
    </Panel>
  );
}
