import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import {
  type Dispatch,
  type MouseEvent,
  memo,
  type SetStateAction,
  useCallback,
  useMemo,
  useState,
} from 'react';
import { useVisibleKeys } from '../../api/keys.ts';
import type { ScrapeSummary } from '../../api/scrapes.ts';
import { screenshotUrl } from '../../result/picture-url.ts';
import type { Column } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatBytes, formatCost, formatDuration } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { OutcomeBadge } from '../../ui/outcome.tsx';
import { TextLink } from '../../ui/text.tsx';
import { listItem, type MeasureRow, tableRow, VirtualList } from '../../ui/virtual-list.tsx';
import classes from './history.module.css';
import type { HistorySearch } from './history-search.ts';

const historyRoute = getRouteApi('/signed-in/history');

interface ScrapeListProps {
  /** Newest first. */
  readonly items: readonly ScrapeSummary[];
  readonly complete: boolean;
  readonly onEnd: (() => void) | undefined;
  readonly isAtTop: boolean;
  readonly onTop: (isAtTop: boolean) => void;
  /** Id → e-mail; null: the user sees only their own scrapes. */
  readonly userEmails: ReadonlyMap<string, string> | null;
  /** Ids. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: Dispatch<SetStateAction<ReadonlySet<string>>>;
}

/** The most that can be selected: an export by ids takes no more. */
const MAX_SELECTED = 200;

/** Heights of most rows, and of most cards, in px. */
const ROW_HEIGHT = 53;
const CARD_HEIGHT = 110;

/** A table, or cards on narrow screens. Scrapes that were added after it was opened are marked. */
export function ScrapeList(props: ScrapeListProps) {
  const { items, complete, onEnd, isAtTop, onTop, userEmails, selected, onSelect } = props;
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const [initialIds] = useState(() => new Set(items.map(({ id }) => id)));
  const [oldestInitial] = useState(items.at(-1)?.id);
  const keys = useVisibleKeys();
  const keyNames = useMemo(() => new Map(keys?.map(({ id, name }) => [id, name])), [keys]);
  const listSearch = historyRoute.useSearch();
  const onToggle = useCallback(
    (id: string) =>
      onSelect((before) => {
        const next = new Set(before);
        if (!next.delete(id) && next.size < MAX_SELECTED) next.add(id);
        return next;
      }),
    [onSelect],
  );
  const Row = isNarrow ? ScrapeCard : ScrapeRow;
  return (
    <VirtualList
      key={isNarrow ? 'cards' : 'table'}
      label={t`Scrapes, newest first`}
      columns={isNarrow ? null : columnsOf({ items, selected, onSelect }, userEmails !== null)}
      items={items}
      keyOf={({ id }) => id}
      rowHeight={isNarrow ? CARD_HEIGHT : ROW_HEIGHT}
      complete={complete}
      onEnd={onEnd}
      onTop={onTop}
    >
      {(item, index, measure) => (
        <Row
          item={item}
          index={index}
          measure={measure}
          isNew={
            isAtTop && oldestInitial !== undefined && item.id > oldestInitial && !initialIds.has(item.id)
          }
          listSearch={listSearch}
          keyName={keyNames.get(item.key_id ?? '') ?? null}
          userEmail={userEmails === null ? null : (userEmails.get(item.user_id ?? '') ?? 'unknown')}
          selected={selected.has(item.id)}
          onToggle={onToggle}
        />
      )}
    </VirtualList>
  );
}

type SelectAllProps = Pick<ScrapeListProps, 'items' | 'selected' | 'onSelect'>;

const columnsOf = (selectAll: SelectAllProps, withUser: boolean): Column[] => [
  { label: <SelectAll {...selectAll} />, headClassName: classes.colSelect },
  { label: t`Outcome`, headClassName: classes.colOutcome },
  t`Request`,
  { label: t`Status`, numeric: true, headClassName: classes.colStatus },
  { label: withUser ? t`Scraper, user and key` : t`Scraper and key`, headClassName: classes.colScraper },
  { label: t`Duration`, numeric: true, headClassName: classes.colDuration },
  { label: t`Cost`, numeric: true, headClassName: classes.colCost },
  { label: t`Time`, numeric: true, headClassName: classes.colTime },
];

function SelectAll({ items, selected, onSelect }: SelectAllProps) {
  const first = items.slice(0, MAX_SELECTED);
  const isAll = first.every(({ id }) => selected.has(id));
  return (
    <Checkbox
      size="xs"
      aria-label={t`Select the newest, at most ${MAX_SELECTED}`}
      checked={isAll}
      indeterminate={!isAll && selected.size > 0}
      onChange={() => onSelect(new Set(isAll ? [] : first.map(({ id }) => id)))}
    />
  );
}

interface ScrapeItemProps {
  readonly item: ScrapeSummary;
  readonly index: number;
  readonly measure: MeasureRow;
  /** The scrape was added after the list was opened. */
  readonly isNew: boolean;
  /** The filters of the list. */
  readonly listSearch: HistorySearch;
  /** E-mail of the scrape's user; null: not shown. */
  readonly userEmail: string | null;
  /** Name of the API key; null: none, or that of another user. */
  readonly keyName: string | null;
  readonly selected: boolean;
  readonly onToggle: (id: string) => void;
}

/** A row of the history. The whole row can be clicked; for keyboards and screen readers, the URL is a link. */
const ScrapeRow = memo(function ScrapeRow(props: ScrapeItemProps) {
  const { item, index, measure, isNew, listSearch, userEmail, keyName, selected, onToggle } = props;
  const navigate = useNavigate();
  const by = [userEmail, keyName].filter((name) => name !== null).join(' · ');
  const onClick = ({ target }: MouseEvent) => {
    // Links and buttons handle the click themselves, and selecting a text is not a click.
    if ((target as Element).closest('a, button, input') !== null || getSelection()?.isCollapsed === false)
      return;
    void navigate({ to: '/history/$id', params: { id: item.id }, state: { listSearch } });
  };
  return (
    <tr
      {...tableRow(index)}
      ref={measure}
      data-clickable
      data-new={isNew || undefined}
      className={classes.row}
      onClick={onClick}
    >
      <td>
        <Checkbox
          size="xs"
          aria-label={t`Select ${nameOf(item)}`}
          checked={selected}
          onChange={() => onToggle(item.id)}
        />
      </td>
      <td>
        <OutcomeBadge outcome={item.outcome} />
      </td>
      <td>
        <div className={classes.line}>
          <span className={classes.method}>{item.method ?? '–'}</span>
          <TextLink
            to="/history/$id"
            params={{ id: item.id }}
            state={{ listSearch }}
            preload={false}
            className={classes.link}
            c="var(--sl-text)"
            fz="inherit"
          >
            <TargetUrl url={item.url} host={item.host} />
          </TextLink>
          <Thumbnail item={item} />
        </div>
      </td>
      <td data-numeric>{item.status_code ?? '–'}</td>
      <td className={`${classes.person} ${classes.colScraper}`}>
        <div>{item.scraper ?? '–'}</div>
        <small>{by}</small>
      </td>
      <td data-numeric className={classes.stacked}>
        {formatDuration(item.duration_ms)}
        <small>{formatBytes(item.content_bytes)}</small>
      </td>
      <td data-numeric className={`${classes.secondary} ${classes.colCost}`}>
        {item.request_cost === null ? '–' : formatCost(item.request_cost, '').trim()}
      </td>
      <td data-numeric className={classes.secondary}>
        <DateTime at={item.created_at} as="relative" />
      </td>
    </tr>
  );
});

/** The same as a row of the table, for phones. */
const ScrapeCard = memo(function ScrapeCard(props: ScrapeItemProps) {
  const { item, index, measure, isNew, listSearch, userEmail, keyName, selected, onToggle } = props;
  const facts = [
    item.status_code === null ? null : `${item.status_code}`,
    item.scraper,
    formatDuration(item.duration_ms),
    item.content_bytes === null ? null : formatBytes(item.content_bytes),
    item.request_cost === null ? null : t`cost ${formatCost(item.request_cost, '').trim()}`,
    userEmail,
    keyName,
  ].filter((fact) => fact !== null);
  return (
    <li {...listItem(index)} ref={measure} className={classes.cardItem}>
      <Checkbox
        size="md"
        aria-label={t`Select ${nameOf(item)}`}
        checked={selected}
        onChange={() => onToggle(item.id)}
      />
      <Link
        to="/history/$id"
        params={{ id: item.id }}
        state={{ listSearch }}
        preload={false}
        className={classes.card}
        data-new={isNew || undefined}
      >
        <span className={classes.cardHead}>
          <OutcomeBadge outcome={item.outcome} />
          <DateTime at={item.created_at} as="relative" />
        </span>
        <span className={classes.line}>
          <span className={classes.method}>{item.method ?? '–'}</span>
          <TargetUrl url={item.url} host={item.host} />
        </span>
        <span className={classes.cardFacts}>{facts.join(' · ')}</span>
      </Link>
    </li>
  );
});

interface TargetUrlProps {
  /** null: it was not stored. */
  readonly url: string | null;
  readonly host: string;
}

/** Larger screenshots are not loaded for the list. */
const MAX_THUMBNAIL_BYTES = 150_000;

/** The screenshot, if it is small enough for a list. It is loaded when it is scrolled into view. */
function Thumbnail({ item: { id, screenshot_bytes: bytes } }: { readonly item: ScrapeSummary }) {
  if (bytes === null || bytes > MAX_THUMBNAIL_BYTES) return null;
  return <img className={classes.thumbnail} src={screenshotUrl(id)} alt="" loading="lazy" decoding="async" />;
}

/** For screen readers: the address of the request. */
const nameOf = ({ method, url, host }: ScrapeSummary): string =>
  `${method ?? ''} ${url === null ? hostText(host) : url.slice(0, 200)}`.trim();

/** A URL: the host, and the path below it, on several lines if it is long. */
function TargetUrl({ url, host }: TargetUrlProps) {
  const { name, rest } = urlParts(url, host);
  return (
    <span className={classes.url} title={url ?? host} dir="ltr">
      <b>{name}</b>
      {/* URLs of 8,000 characters make tables slow, and hide the other rows. */}
      <span>
        {url === null ? t` (the rest was not kept)` : rest.length > 300 ? `${rest.slice(0, 300)}…` : rest}
      </span>
    </span>
  );
}

/** The host with its port, and what follows it; '' if that is only a slash. */
function urlParts(url: string | null, host: string): { readonly name: string; readonly rest: string } {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed === null) return { name: hostText(host), rest: '' };
  const rest = `${parsed.pathname}${parsed.search}${parsed.hash}`;
  return { name: hostText(parsed.host), rest: rest === '/' ? '' : rest };
}
