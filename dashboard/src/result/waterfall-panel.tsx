import { t } from '@lingui/core/macro';
import { DataTable } from '../ui/data-table.tsx';
import { formatDuration } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { BreakableName, isDirect, routeText } from '../ui/route-name.tsx';
import type { AnyScrape } from './scrape.ts';
import classes from './waterfall-panel.module.css';

interface Row {
  readonly key: string;
  readonly label: string;
  readonly title: string;
  readonly kind: string;
  readonly startMs: number;
  readonly durationMs: number;
  readonly note: string;
}

/** Rows that are drawn. */
const MAX_ROWS = 200;

/**
 * The attempts one after another, and the captured requests of the page, as bars on a common time axis each. Renders nothing for
 * one attempt without captured requests, because the timing says all about it.
 */
export function WaterfallPanel({ scrape }: { readonly scrape: AnyScrape }) {
  const attempts = attemptRows(scrape);
  const requests = requestRows(scrape);
  if (attempts.length < 2 && requests.length === 0) return null;
  return (
    <Panel title={t`Waterfall`} flush>
      {attempts.length > 1 && (
        <Rows caption={t`Attempts, one after another, without pauses`} rows={attempts} />
      )}
      {requests.length > 0 && (
        <Rows
          caption={
            requests.length > MAX_ROWS
              ? t`The first ${MAX_ROWS} captured requests of the page, from the start of the first one`
              : t`Captured requests of the page, from the start of the first one`
          }
          rows={requests.slice(0, MAX_ROWS)}
        />
      )}
    </Panel>
  );
}

function Rows({ caption, rows }: { readonly caption: string; readonly rows: readonly Row[] }) {
  const end = Math.max(1, ...rows.map(({ startMs, durationMs }) => startMs + durationMs));
  const percent = (ms: number) => `${(ms / end) * 100}%`;
  return (
    <>
      <p className={classes.caption}>{caption}</p>
      <DataTable
        caption={caption}
        columns={[
          t`Request`,
          t`Status`,
          { label: t`0 to ${formatDuration(end)}`, headClassName: classes.times },
          { label: t`Time`, numeric: true },
        ]}
      >
        {rows.map(({ key, label, title, kind, startMs, durationMs, note }) => (
          <tr key={key}>
            <td className={classes.name} title={title}>
              <BreakableName name={label} />
            </td>
            <td>{note}</td>
            <td>
              <span className={classes.track} aria-hidden="true">
                <span
                  data-kind={kind}
                  style={{ insetInlineStart: percent(startMs), width: percent(durationMs) }}
                />
              </span>
            </td>
            <td data-numeric>{formatDuration(durationMs)}</td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}

/** Their starts are not stored: each begins where the one before ended. */
function attemptRows(scrape: AnyScrape): readonly Row[] {
  const { attempts = [] } = scrape.router;
  const direct = isDirect(scrape);
  let startMs = 0;
  return attempts.map(({ n, scraper, proxy_type, duration_ms: durationMs, status_code, error_code }) => {
    const label = `${n}. ${routeText(scraper, proxy_type, direct)}`;
    const row = {
      key: String(n),
      label,
      title: label,
      kind: 'attempt',
      startMs,
      durationMs,
      note: String(status_code ?? error_code ?? '–'),
    };
    startMs += durationMs;
    return row;
  });
}

function requestRows({ scraper_data: { network = [] } }: AnyScrape): readonly Row[] {
  return network.flatMap(({ url, method, status, resource_type: kind, started_ms, duration_ms }, index) => {
    if (started_ms == null) return [];
    const path = URL.parse(url)?.pathname ?? url;
    const label = `${method} ${path.split('/').findLast((part) => part !== '') ?? '/'}`;
    const row = { key: String(index), label, title: url, kind, note: String(status ?? '–') };
    return { ...row, startMs: started_ms, durationMs: duration_ms ?? 0 };
  });
}
