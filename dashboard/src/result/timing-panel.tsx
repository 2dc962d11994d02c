import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatDuration } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import { deliveredAttempt } from './delivered-attempt.ts';
import type { AnyScrape, ScrapeRouter } from './scrape.ts';
import classes from './timing-panel.module.css';

/** The durations of the phases as a bar, and as a table that is also the legend. */
export function TimingPanel({ scrape }: { readonly scrape: AnyScrape }) {
  const { timing } = scrape.router;
  if (timing === undefined || timing.total === null) return null;
  const phases = phasesOf(timing, scrape);
  // The total alone is already in the summary.
  if (phases.every(({ name }) => name === 'other')) return null;
  return (
    <Panel title={t`Timing`}>
      {timing.total > 0 && (
        <div className={classes.bar} aria-hidden="true">
          {phases.map(({ name, ms, label }) => (
            <span
              key={name}
              data-phase={name}
              style={{ flexGrow: ms, background: PHASE_COLORS[name] }}
              title={`${label}: ${formatDuration(ms)}`}
            />
          ))}
        </div>
      )}
      <table className={classes.table}>
        <caption>
          <Trans>Where the time went</Trans>
        </caption>
        <thead className="visually-hidden">
          <tr>
            <th>
              <Trans>Phase</Trans>
            </th>
            <th>
              <Trans>Time</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {phases.map(({ name, ms, label, hint }) => (
            <tr key={name}>
              <th scope="row" title={hint}>
                <i data-phase={name} style={{ background: PHASE_COLORS[name] }} />
                {label}
              </th>
              <td>{formatDuration(ms)}</td>
            </tr>
          ))}
          <tr className={classes.total}>
            <th scope="row">
              <Trans>Total</Trans>
            </th>
            <td>{formatDuration(timing.total)}</td>
          </tr>
        </tbody>
      </table>
    </Panel>
  );
}

type Timing = NonNullable<ScrapeRouter['timing']>;

interface Phase {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly ms: number;
}

/** All phases in their order. */
export const PHASES: readonly (readonly [name: keyof Timing, label: string, hint: string])[] = [
  ['queue', t`Waiting for a slot`, t`Waiting for a slot, a browser, memory or a proxy`],
  ['pause', t`Pause`, t`Because the site limits the rate (Retry-After), or before another attempt`],
  ['dns', 'DNS', t`Resolving the host name`],
  ['connect', t`Connect`, t`Opening the TCP connection`],
  ['tls', 'TLS', t`TLS handshake`],
  ['ttfb', t`Waiting for the response`, t`From sending the request to the first byte of the response`],
  ['download', t`Download`, t`From the first byte of the response to the last`],
  ['load', t`Load`, t`Loading the page in the browser`],
  ['wait', t`Waits`, t`Waits that the request asked for`],
  ['actions', t`Actions`, t`The page actions of the request`],
  ['read', t`Reading`, t`Reading the page: documents, Markdown and other formats`],
];

/** Each phase has its own color or pattern. Plain red would mean a failure. */
const PHASE_COLORS: Readonly<Record<string, string>> = {
  queue: 'var(--sl-slate-solid)',
  pause: 'repeating-linear-gradient(45deg, var(--sl-amber-solid) 0 3px, var(--sl-amber-soft) 3px 6px)',
  other: 'repeating-linear-gradient(-45deg, var(--sl-slate-solid) 0 1px, var(--sl-slate-soft) 1px 4px)',
  attempts: 'repeating-linear-gradient(90deg, var(--sl-slate-solid) 0 3px, var(--sl-slate-soft) 3px 6px)',
  dns: 'var(--sl-violet-solid)',
  connect: 'var(--sl-amber-solid)',
  tls: 'var(--sl-orange-solid)',
  ttfb: 'var(--sl-green-solid)',
  download: 'var(--sl-blue-solid)',
  load: 'var(--sl-accent-text)',
  wait: 'color-mix(in srgb, var(--sl-green-solid) 50%, var(--sl-blue-solid))',
  actions: 'color-mix(in srgb, var(--sl-violet-solid) 45%, var(--sl-red-solid))',
  read: 'color-mix(in srgb, var(--sl-amber-solid) 50%, var(--sl-green-solid))',
};

/** The measured phases in their order. The rest of the total is shown as the last one. */
function phasesOf(timing: Timing, scrape: AnyScrape): readonly Phase[] {
  const phases: Phase[] = [];
  let measured = 0;
  for (const [name, label, hint] of PHASES) {
    const ms = timing[name];
    // Records of earlier versions do not have all phases.
    if (ms == null) continue;
    measured += ms;
    phases.push({ name, label, hint, ms });
  }
  const unmeasured = Math.max(0, (timing.total ?? 0) - measured);
  const others = Math.min(unmeasured, otherAttemptsMs(scrape));
  if (others > 0)
    phases.push({
      name: 'attempts',
      label: t`Other attempts`,
      hint: t`The attempts whose page was not delivered`,
      ms: others,
    });
  const rest = unmeasured - others;
  if (rest > 0) {
    // Waiting for a response that never arrived is not measured as a phase.
    const timedOut = scrape.errors[0]?.code.startsWith('timeout.') === true && timing.ttfb === null;
    phases.push(
      timedOut
        ? {
            name: 'ttfb',
            label: t`No response (timed out)`,
            hint: t`Waiting for a response that never arrived`,
            ms: rest,
          }
        : {
            name: 'other',
            label: t`Other`,
            hint: t`Redirects, the screenshot of the page, storing the record`,
            ms: rest,
          },
    );
  }
  return phases;
}

/** The duration of all attempts but the one that the phases describe: the delivered one, or else the last. */
function otherAttemptsMs(scrape: AnyScrape): number {
  const { attempts = [] } = scrape.router;
  const described = deliveredAttempt(scrape) ?? attempts.at(-1)?.n;
  return attempts.reduce((sum, { n, duration_ms }) => (n === described ? sum : sum + duration_ms), 0);
}
