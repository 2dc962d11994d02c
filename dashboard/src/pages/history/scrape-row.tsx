import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { ScrapeSummary } from '../../api/scrapes.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { formatBytes, formatDuration } from '../../ui/format.ts';
import { OutcomeBadge } from '../../ui/outcome.tsx';
import { TextLink } from '../../ui/text.tsx';
import classes from './history.module.css';
import type { HistorySearch } from './history-search.ts';
import { TargetUrl } from './target-url.tsx';

export interface ScrapeItemProps {
  readonly item: ScrapeSummary;
  /** It came while one was looking. */
  readonly fresh: boolean;
  /** The filters of the list. */
  readonly among: HistorySearch;
  /** E-mail of whose it is; null: not shown. */
  readonly person: string | null;
  /** Of the API key; null: none, or one of somebody else. */
  readonly keyName: string | null;
}

/** A line of the history. The whole line can be clicked; the address is the link for everybody else. */
export function ScrapeRow({ item, fresh, among, person, keyName }: ScrapeItemProps) {
  const navigate = useNavigate();
  const follow = ({ target }: MouseEvent) => {
    // A link knows itself what to do, and whoever selects a text wants to copy it.
    if ((target as Element).closest('a, button') !== null || getSelection()?.isCollapsed === false) return;
    void navigate({ to: '/history/$id', params: { id: item.id }, state: { among } });
  };
  return (
    <tr data-clickable data-fresh={fresh || undefined} className={classes.row} onClick={follow}>
      <td>
        <OutcomeBadge outcome={item.outcome} />
      </td>
      <td className={classes.request}>
        <div className={classes.line}>
          <span className={classes.method}>{item.method ?? '–'}</span>
          <TextLink
            to="/history/$id"
            params={{ id: item.id }}
            state={{ among }}
            preload={false}
            className={classes.link}
            c="var(--sl-text)"
            fz="inherit"
          >
            <TargetUrl url={item.url} host={item.host} />
          </TextLink>
        </div>
      </td>
      <td data-numeric>{item.status_code ?? '–'}</td>
      <td className={classes.soft}>{item.scraper ?? '–'}</td>
      <td className={classes.person}>
        {person !== null && <div>{person}</div>}
        <small>{keyName ?? (person === null ? '–' : '')}</small>
      </td>
      <td data-numeric>{formatDuration(item.duration_ms)}</td>
      <td data-numeric>{formatBytes(item.content_bytes)}</td>
      <td data-numeric className={classes.soft}>
        <DateTime at={item.created_at} as="relative" />
      </td>
    </tr>
  );
}
