import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Outcome, Schema } from '../../api/client.ts';
import { hostnameOf, type Site, type SiteDays, siteDaysQuery } from '../../api/sites.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { DATE_LOCALE, formatCount, formatShare } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { FailureReasons } from './failure-reasons.tsx';
import classes from './history-panel.module.css';
import { isProtectedPage, NO_PROTECTION, protectionText } from './protection-text.ts';
import { SiteTurn } from './site-turn.tsx';

type Day = Schema<'UsageStep'>;

interface HistoryPanelProps {
  readonly host: string;
  readonly pages: Site['pages'];
}

/** How the scrapes of a site went on the last thirty days, and when its protection changed. Renders nothing if there were none. */
export function HistoryPanel({ host, pages }: HistoryPanelProps) {
  const { data: days } = useQuery(siteDaysQuery(host));
  const changes = changesOf(pages);
  const beliefs = beliefsOf(pages);
  const scraped = days?.all.some(({ scrapes }) => scrapes > 0) === true;
  if (changes.length === 0 && beliefs.length === 0 && !scraped) return null;
  return (
    <Panel
      title={t`History`}
      description={t`The last 30 days. Days are in UTC, other times in your time zone (${TIME_ZONE}). Select a day to see its scrapes.`}
    >
      {days !== undefined && scraped && (
        <>
          <Decline hostname={hostnameOf(host)} days={days.all} />
          <DaysTable host={host} days={days} />
          <FailureReasons host={host} />
        </>
      )}
      <Protection beliefs={beliefs} changes={changes} />
    </Panel>
  );
}

const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

interface DeclineProps {
  /** Without a port. */
  readonly hostname: string;
  /** The oldest first. */
  readonly days: readonly Day[];
}

const sumOf = (days: readonly Day[], count: (day: Day) => number): number =>
  days.reduce((sum, day) => sum + count(day), 0);

/** Since when too few scrapes are OK, and what mostly happened to the others. Renders nothing while they go well. */
function Decline({ hostname, days }: DeclineProps) {
  const scraped = days.filter(({ scrapes }) => scrapes > 0);
  const from = scraped.findLastIndex(({ ok, scrapes }) => ok / scrapes >= GOOD) + 1;
  const [before, bad] = [scraped.slice(0, from), scraped.slice(from)];
  if (bad[0] === undefined) return null;
  const day = dayOf(bad[0]);
  const all = sumOf(bad, ({ scrapes }) => scrapes);
  const ok = sumOf(bad, (one) => one.ok);
  const failed = sumOf(bad, (one) => one.failed);
  const blocked = sumOf(bad, (one) => one.blocked);
  const other = all - ok - failed - blocked;
  const share = formatShare(ok, all);
  const shareBefore = formatShare(
    sumOf(before, (one) => one.ok),
    sumOf(before, ({ scrapes }) => scrapes),
  );
  const main = blocked >= failed && blocked >= other ? 'blocked' : failed >= other ? 'failed' : 'other';
  return (
    <div className={classes.decline}>
      <p>
        {before.length === 0 && ok === 0
          ? t`This site was never fetched: since ${day}, none of its scrapes was OK.`
          : before.length === 0
            ? t`Since ${day}, ${share} of the scrapes were OK.`
            : t`Since ${day}, ${share} of the scrapes were OK; in the days before, ${shareBefore}.`}{' '}
        {MAIN_FAILURES[main].text}
      </p>
      <SiteTurn
        hostname={hostname}
        hadOk={before.length > 0}
        from={bad[0].at}
        failures={MAIN_FAILURES[main].outcomes}
      />
    </div>
  );
}

/** What mostly happened to scrapes that were not OK. */
const MAIN_FAILURES: Readonly<
  Record<'blocked' | 'failed' | 'other', { readonly text: string; readonly outcomes: readonly Outcome[] }>
> = {
  blocked: { text: t`Most of the others were blocked.`, outcomes: ['blocked'] },
  failed: { text: t`Most of the others failed: no page could be fetched.`, outcomes: ['failed'] },
  other: {
    text: t`Most of the others got an error page, or not all that was requested.`,
    outcomes: ['target_error', 'partial', 'unaccepted'],
  },
};

interface Change {
  readonly since: string;
  readonly pattern: string;
  /** The rest of a sentence that begins with “it”. null: it is the first protection that was seen. */
  readonly before: string | null;
  readonly after: string;
  /** Whether it demands anything since then. */
  readonly isProtected: boolean;
}

const MAX_CHANGES = 10;

/** The changes of all kinds of pages, the newest first; pages that never had a protection at the end. */
function changesOf(pages: Site['pages']): readonly Change[] {
  return pages
    .flatMap(({ pattern, history }) =>
      history.map(({ since, name, words }, index) => ({
        since,
        pattern,
        before: history[index + 1] === undefined ? null : protectionText(history[index + 1]!.words),
        after: protectionText(words),
        isProtected: name !== NO_PROTECTION,
      })),
    )
    .sort((a, b) => Number(isPlain(a)) - Number(isPlain(b)) || b.since.localeCompare(a.since))
    .slice(0, MAX_CHANGES);
}

/** A kind of page that had no protection from the start: shown last. */
const isPlain = ({ before, isProtected }: Change): boolean => before === null && !isProtected;

/** What a kind of page probably demands now, without being certain enough for its history. */
interface Belief {
  readonly pattern: string;
  readonly words: string;
  /** From 0 to 1. */
  readonly probability: number;
}

function beliefsOf(pages: Site['pages']): readonly Belief[] {
  return pages.flatMap((page) => {
    const { pattern, history } = page;
    const [first] = page.demands;
    if (first === undefined || !isProtectedPage(page) || history[0]?.name === first.name) return [];
    return [{ pattern, words: protectionText(first.words), probability: first.probability }];
  });
}

interface ProtectionProps {
  readonly beliefs: readonly Belief[];
  readonly changes: readonly Change[];
}

function Protection({ beliefs, changes }: ProtectionProps) {
  if (changes.length === 0 && beliefs.length === 0) return null;
  return (
    <>
      <h3 className={classes.heading}>
        <Trans>Protection</Trans>
      </h3>
      <ol className={classes.changes}>
        {beliefs.map(({ pattern, words, probability }) => (
          <li key={`now ${pattern}`} data-changed>
            <span>
              <Trans>Now</Trans>
            </span>
            <span>
              <code>{pattern}</code> {t`Probably, it ${words} (${formatShare(probability, 1)}).`}
            </span>
          </li>
        ))}
        {changes.map(({ since, pattern, before, after }) => (
          <li key={`${since} ${pattern}`} data-changed={before !== null || undefined}>
            <DateTime at={since} />
            <span>
              <code>{pattern}</code>{' '}
              {before === null ? t`First seen: it ${after}.` : t`Now it ${after}. Before, it ${before}.`}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

const dayName = new Intl.DateTimeFormat(DATE_LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const dayOf = ({ at }: Day): string => dayName.format(new Date(at));
const DAY_MS = 86_400_000;

/** A row for all methods and one for each, a cell for each day: its color is the share of OK. */
function DaysTable({ host, days: { all, methods } }: { readonly host: string; readonly days: SiteDays }) {
  const last = all.length - 1;
  const isLabelled = (index: number) => index === last || (index % 7 === 0 && last - index >= 6);
  return (
    <>
      <section
        className={classes.scroll}
        aria-label={t`Scrapes by day and method`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        tabIndex={0}
        // On phones, the latest days are shown first.
        ref={(section) => section?.scrollTo({ left: section.scrollWidth })}
      >
        <table className={classes.days}>
          <caption>
            <Trans>Scrapes by day and method</Trans>
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <Trans>Method</Trans>
              </th>
              {all.map((day, index) => (
                <th key={day.at} scope="col">
                  {isLabelled(index) && <span aria-hidden="true">{dayOf(day)}</span>}
                  <span className="visually-hidden">{dayOf(day)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[{ scraper: null, days: all }, ...methods].map((row) => (
              <tr key={row.scraper}>
                <th scope="row">{row.scraper ?? t`All methods`}</th>
                {row.days.map((day) => (
                  <td key={day.at}>
                    <DayCell host={host} scraper={row.scraper} day={day} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Legend />
    </>
  );
}

/** What the colors and marks of the days mean. */
function Legend() {
  const [goodPercent, fairPercent] = [GOOD * 100, FAIR * 100];
  return (
    <>
      <ul className={classes.legend} aria-label={t`Marks of the days`}>
        <li>
          <span className={classes.day} data-tone="good" aria-hidden="true" />
          {t`at least ${goodPercent} % OK`}
        </li>
        <li>
          <span className={classes.day} data-tone="fair" aria-hidden="true">
            ~
          </span>
          {t`at least ${fairPercent} % OK`}
        </li>
        <li>
          <span className={classes.day} data-tone="bad" aria-hidden="true">
            ×
          </span>
          {t`less than ${fairPercent} % OK`}
        </li>
        <li>
          <span className={classes.none} aria-hidden="true">
            ·
          </span>
          <Trans>no scrapes</Trans>
        </li>
      </ul>
      <p className={classes.hint}>
        <Trans>Scroll the days sideways to see earlier ones.</Trans>
      </p>
    </>
  );
}

interface DayCellProps {
  readonly host: string;
  /** null: all. */
  readonly scraper: string | null;
  readonly day: Day;
}

/** Shares of OK from which a day is green, and amber. */
const GOOD = 0.9;
const FAIR = 0.5;

function DayCell({ host, scraper, day }: DayCellProps) {
  const { at, scrapes, ok, blocked, failed } = day;
  if (scrapes === 0) return <span className={classes.none}>·</span>;
  const share = ok / scrapes;
  const text = t`${dayOf(day)}: ${plural(scrapes, { one: '# scrape', other: '# scrapes' })}, ${formatShare(ok, scrapes)} OK, ${formatCount(blocked)} blocked, ${formatCount(failed)} failed`;
  return (
    <Link
      to="/history"
      search={{
        host: hostnameOf(host),
        from: at,
        to: new Date(Date.parse(at) + DAY_MS).toISOString(),
        ...(scraper !== null && { scraper }),
      }}
      state={{ counted: scrapes }}
      className={classes.day}
      data-tone={share >= GOOD ? 'good' : share >= FAIR ? 'fair' : 'bad'}
      title={text}
    >
      <span className="visually-hidden">{text}</span>
      {/* Not by color alone. */}
      <span aria-hidden="true">{share >= GOOD ? '' : share >= FAIR ? '~' : '×'}</span>
    </Link>
  );
}
