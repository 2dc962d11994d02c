import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type MouseEvent, useState } from 'react';
import { keysQuery } from '../../api/keys.ts';
import type { ScrapeSummary } from '../../api/scrapes.ts';
import { screenshotUrl } from '../../result/picture-url.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatBytes, formatCost, formatDuration } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { OutcomeBadge } from '../../ui/outcome.tsx';
import { TextLink } from '../../ui/text.tsx';
import classes from './history.module.css';
import type { HistorySearch } from './history-search.ts';

const historyRoute = getRouteApi('/signed-in/history');

interface ScrapeListProps {
  /** Newest first. */
  readonly items: readonly ScrapeSummary[];
  /** Further results of a continued search. */
  readonly older: readonly ScrapeSummary[];
  /** Id → e-mail; null: the user sees only their own scrapes. */
  readonly userEmails: ReadonlyMap<string, string> | null;
  /** Ids. */
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
}

/** The most that can be selected: an export by ids takes no more. */
const MAX_SELECTED = 200;

/** A table, or cards on narrow screens. Scrapes that were added after it was opened are marked. */
export function ScrapeList({ items, older, userEmails, selected, onSelect }: ScrapeListProps) {
  const [initialIds] = useState(() => new Set(items.map(({ id }) => id)));
  const all = [...items, ...older];
  const { data: keys } = useQuery(keysQuery);
  const keyNames = new Map(keys?.items.map(({ id, name }) => [id, name]));
  const listSearch = historyRoute.useSearch();
  const propsOf = (item: ScrapeSummary, index: number) => ({
    item,
    isNew: index < items.length && !initialIds.has(item.id),
    listSearch,
    keyName: keyNames.get(item.key_id ?? '') ?? null,
    userEmail: userEmails === null ? null : (userEmails.get(item.user_id ?? '') ?? 'unknown'),
    selected: selected.has(item.id),
    onToggle: () => {
      const next = new Set(selected);
      if (!next.delete(item.id)) next.add(item.id);
      onSelect(next);
    },
  });
  const isAll = all.every(({ id }) => selected.has(id));
  const selectAll = () => onSelect(new Set(isAll ? [] : all.slice(0, MAX_SELECTED).map(({ id }) => id)));
  return (
    <>
      <div className={classes.wide}>
        <DataTable
          caption={t`Scrapes, newest first`}
          head={
            <>
              <th scope="col">
                <Checkbox
                  size="xs"
                  aria-label={t`Select all on this page`}
                  checked={isAll}
                  indeterminate={!isAll && all.some(({ id }) => selected.has(id))}
                  onChange={selectAll}
                />
              </th>
              <th scope="col">
                <Trans>Outcome</Trans>
              </th>
              <th scope="col">
                <Trans>Request</Trans>
              </th>
              <th scope="col" data-numeric>
                <Trans>Status</Trans>
              </th>
              <th scope="col">{userEmails === null ? t`Scraper and key` : t`Scraper, user and key`}</th>
              <th scope="col" data-numeric>
                <Trans>Duration</Trans>
              </th>
              <th scope="col" data-numeric>
                <Trans>Cost</Trans>
              </th>
              <th scope="col" data-numeric>
                <Trans>Time</Trans>
              </th>
            </>
          }
        >
          {all.map((item, index) => (
            <ScrapeRow key={item.id} {...propsOf(item, index)} />
          ))}
        </DataTable>
      </div>
      <ul className={classes.cards} aria-label={t`Scrapes, newest first`}>
        {all.map((item, index) => (
          <ScrapeCard key={item.id} {...propsOf(item, index)} />
        ))}
      </ul>
    </>
  );
}

interface ScrapeItemProps {
  readonly item: ScrapeSummary;
  /** The scrape was added after the list was opened. */
  readonly isNew: boolean;
  /** The filters of the list. */
  readonly listSearch: HistorySearch;
  /** E-mail of the scrape's user; null: not shown. */
  readonly userEmail: string | null;
  /** Name of the API key; null: none, or that of another user. */
  readonly keyName: string | null;
  readonly selected: boolean;
  readonly onToggle: () => void;
}

/** A row of the history. The whole row can be clicked; for keyboards and screen readers, the URL is a link. */
function ScrapeRow({ item, isNew, listSearch, userEmail, keyName, selected, onToggle }: ScrapeItemProps) {
  const navigate = useNavigate();
  const by = [userEmail, keyName].filter((name) => name !== null).join(' · ');
  const onClick = ({ target }: MouseEvent) => {
    // Links and buttons handle the click themselves, and selecting a text is not a click.
    if ((target as Element).closest('a, button, input') !== null || getSelection()?.isCollapsed === false)
      return;
    void navigate({ to: '/history/$id', params: { id: item.id }, state: { listSearch } });
  };
  return (
    <tr data-clickable data-new={isNew || undefined} className={classes.row} onClick={onClick}>
      <td>
        <Checkbox size="xs" aria-label={t`Select ${nameOf(item)}`} checked={selected} onChange={onToggle} />
      </td>
      <td>
        <OutcomeBadge outcome={item.outcome} />
      </td>
      <td className={classes.request}>
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
      <td className={classes.person}>
        <div>{item.scraper ?? '–'}</div>
        <small title={by}>{by}</small>
      </td>
      <td data-numeric className={classes.stacked}>
        {formatDuration(item.duration_ms)}
        <small>{formatBytes(item.content_bytes)}</small>
      </td>
      <td data-numeric className={classes.secondary}>
        {item.request_cost === null ? '–' : formatCost(item.request_cost, '').trim()}
      </td>
      <td data-numeric className={classes.secondary}>
        <DateTime at={item.created_at} as="relative" />
      </td>
    </tr>
  );
}

/** The same as a row of the table, for phones. */
function ScrapeCard({ item, isNew, listSearch, userEmail, keyName }: ScrapeItemProps) {
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
    <li>
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
}

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
