import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Schema } from '../../api/client.ts';
import { formatBytes, formatDuration, formatNumber } from '../../ui/format.ts';
import { IconCheck } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill, toneStyle } from '../../ui/pill.tsx';
import { RouteName } from '../../ui/route-name.tsx';
import { deliveredAttempt } from '../delivered-attempt.ts';
import type { AnyScrape, ScrapeRouter } from '../scrape.ts';
import { capitalised, isErrorStatus, verdictText } from '../texts.ts';
import { ExcludedRoutes } from './excluded-routes.tsx';
import classes from './route.module.css';
import { ATTEMPT_TONES, RouteMap } from './route-map.tsx';
import { signalText } from './signal-text.ts';
import { useReasonText } from './use-reason-text.ts';

/** How the router got the result: available routes, attempts, delivered page, cost. */
export function RoutePanel({ scrape }: { readonly scrape: AnyScrape }) {
  const { router } = scrape;
  const { attempts, candidates, cost_unit } = router;
  // The request excluded the trace from the response.
  if (attempts === undefined || candidates === undefined) return null;
  const delivered = deliveredAttempt(scrape);
  return (
    <Panel title={t`Route`}>
      <div className={classes.route}>
        <RouteMap candidates={candidates} attempts={attempts} delivered={delivered} unit={cost_unit} />
        <ExcludedRoutes candidates={candidates} />
        {attempts.length === 0 ? (
          <p className="dimmed">
            <Trans>No attempts: nothing was sent to the target.</Trans>
          </p>
        ) : (
          <ol className={classes.steps} aria-label={t`Attempts`}>
            {attempts.map((attempt) => (
              <AttemptStep
                key={attempt.n}
                attempt={attempt}
                unit={cost_unit}
                delivered={attempt.n === delivered ? router : null}
              />
            ))}
          </ol>
        )}
        {attempts.length > 0 && delivered === null && (
          <p className="dimmed">
            <Trans>No attempt got a page.</Trans>
          </p>
        )}
        <CostList router={router} />
      </div>
    </Panel>
  );
}

/** Whether the route has more to show than one attempt. Then the panel has the full width. */
export function hasSeveralSteps({ router }: AnyScrape): boolean {
  const { attempts = [], candidates = [] } = router;
  return attempts.length > 1 || (attempts.length === 0 && candidates.length > 1);
}

const ATTEMPT_OUTCOMES: Readonly<Record<Schema<'Attempt'>['outcome'], string>> = {
  ok: t`ok`,
  rejected: t`rejected`,
  failed: t`failed`,
  cancelled: t`cancelled`,
};

interface AttemptStepProps {
  readonly attempt: Schema<'Attempt'>;
  readonly unit: string | undefined;
  /** The delivered page if it comes from this attempt; else null. */
  readonly delivered: Pick<ScrapeRouter, 'verdict'> | null;
}

/** An attempt with its reason, result and verdict. */
function AttemptStep({ attempt, unit, delivered }: AttemptStepProps) {
  const { n, scraper, proxy_type, outcome, verdict, error_code, reason } = attempt;
  const reasonText = useReasonText();
  const facts = [
    attempt.status_code === null ? null : t`status ${attempt.status_code}`,
    formatDuration(attempt.duration_ms),
    t`${formatBytes(attempt.bytes_out)} out, ${formatBytes(attempt.bytes_in)} in`,
    attempt.country === null ? null : t`from ${attempt.country}`,
    attempt.cost === null ? null : `${formatNumber(attempt.cost)} ${unit ?? ''}`.trim(),
    attempt.reused.length === 0 ? null : t`reused ${attempt.reused.join(', ')}`,
  ].filter((fact) => fact !== null);
  const isErrorPage = outcome === 'ok' && isErrorStatus(attempt.status_code);
  const tone = isErrorPage ? 'amber' : ATTEMPT_TONES[outcome];
  // It only says that nothing was found.
  const signals = delivered?.verdict?.signals.filter((signal) => signal !== 'no-signal') ?? [];
  return (
    <li className={classes.step} data-tone={tone} value={n}>
      <div className={classes.line}>
        <span className={classes.number} style={toneStyle(tone)} aria-hidden="true">
          {n}
        </span>
        <RouteName scraper={scraper} proxyType={proxy_type} />
        <span className={classes.pills}>
          {/* A page that was rejected can be delivered, too: the text below explains it. */}
          {delivered !== null && outcome === 'ok' && <Pill tone="blue" icon={IconCheck}>{t`delivered`}</Pill>}
          <Pill tone={tone}>{isErrorPage ? t`error page` : ATTEMPT_OUTCOMES[outcome]}</Pill>
        </span>
      </div>
      {verdict !== null && (
        <p className={classes.result}>
          {resultText(verdict, attempt, delivered)}
          {error_code !== null && <code className="mono">{error_code}</code>}
        </p>
      )}
      {signals.length > 0 && (
        <ul className={classes.signals} aria-label={t`Signals`}>
          {signals.map((signal) => (
            <li key={signal}>
              {signalText(signal)} <code className="mono">{signal}</code>
            </li>
          ))}
        </ul>
      )}
      <p className={classes.detail}>{facts.join(' · ')}</p>
      <p className={classes.detail}>
        <Trans>Why: {reasonText(reason)}</Trans>
      </p>
    </li>
  );
}

/** What the attempt got, with the confidence if its page was delivered. */
function resultText(
  verdict: Verdict,
  { status_code, error_code, outcome }: Schema<'Attempt'>,
  delivered: AttemptStepProps['delivered'],
): string {
  const confidence = delivered?.verdict?.confidence;
  const text = capitalised(
    outcome === 'rejected' && verdict === 'ok' ? rejectedText(error_code) : verdictText(verdict, status_code),
  );
  const result = confidence === undefined ? text : `${text} (${Math.round(confidence * 100)}\u00a0%)`;
  return delivered !== null && outcome === 'rejected'
    ? t`${result}. Returned, because no attempt did better.`
    : result;
}

/** Why a page was rejected that looks like the real one. */
const rejectedText = (code: string | null): string =>
  code === 'accept.unmet'
    ? t`does not meet the accept conditions of the request`
    : t`looks like the real page, but not everything requested is there`;

type Verdict = NonNullable<Schema<'Attempt'>['verdict']>;

type Detail = NonNullable<ScrapeRouter['cost_details']>[number];

/** The total cost and its details. Renders nothing if there are no prices. */
function CostList({ router }: { readonly router: ScrapeRouter }) {
  const { request_cost, cost_details = [], cost_unit = '' } = router;
  if (request_cost === null) return null;
  return (
    <table className={classes.costs}>
      <caption>
        <Trans>What it cost</Trans>
      </caption>
      <thead className="visually-hidden">
        <tr>
          <th>
            <Trans>Item</Trans>
          </th>
          <th>
            <Trans>Cost</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {cost_details.map((detail) => (
          <tr key={`${detail.attempt} ${detail.item}`}>
            <th scope="row">
              {costItemText(detail)}
              <small>
                {' '}
                <Trans>
                  attempt {detail.attempt}, {costAmountText(detail)}
                </Trans>
              </small>
            </th>
            <td>
              {formatNumber(detail.cost)} {cost_unit}
            </td>
          </tr>
        ))}
        <tr className={classes.total}>
          <th scope="row">
            <Trans>Total</Trans>
          </th>
          <td>
            {formatNumber(request_cost)} {cost_unit}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function costItemText({ item, name }: Detail): string {
  if (item === 'scraper') return name;
  return item === 'proxy_request' ? t`${name} proxy` : t`${name} traffic`;
}

function costAmountText({ item, quantity: count, unit_price: price }: Detail): string {
  const [quantity, unit_price] = [formatNumber(count), formatNumber(price)];
  return item === 'proxy_traffic'
    ? t`${formatBytes(count)} at ${unit_price} a GB`
    : t`${quantity} at ${unit_price}`;
}
