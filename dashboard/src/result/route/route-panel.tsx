import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Schema } from '../../api/client.ts';
import { formatBytes, formatDuration } from '../../ui/format.ts';
import { IconCheck } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RouteName } from '../../ui/route-name.tsx';
import type { AnyScrape, ScrapeRouter } from '../scrape.ts';
import { verdictText } from '../texts.ts';
import { ExcludedRoutes } from './excluded-routes.tsx';
import classes from './route.module.css';
import { ATTEMPT_TONES, RouteMap } from './route-map.tsx';

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
          <p className={classes.none}>
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
          <p className={classes.none}>
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

interface AttemptStepProps {
  readonly attempt: Schema<'Attempt'>;
  readonly unit: string | undefined;
  /** The delivered page if it comes from this attempt; else null. */
  readonly delivered: Pick<ScrapeRouter, 'verdict'> | null;
}

/** An attempt with its reason, result and verdict. */
function AttemptStep({ attempt, unit, delivered }: AttemptStepProps) {
  const { n, scraper, proxy_type, outcome, verdict, error_code, reason } = attempt;
  const facts = [
    attempt.status_code === null ? null : t`status ${attempt.status_code}`,
    formatDuration(attempt.duration_ms),
    t`${formatBytes(attempt.bytes_out)} out, ${formatBytes(attempt.bytes_in)} in`,
    attempt.country === null ? null : t`from ${attempt.country}`,
    attempt.cost === null ? null : `${attempt.cost} ${unit ?? ''}`.trim(),
    attempt.reused.length === 0 ? null : t`reused ${attempt.reused.join(', ')}`,
  ].filter((fact) => fact !== null);
  return (
    <li className={classes.step} data-tone={ATTEMPT_TONES[outcome]} value={n}>
      <div className={classes.line}>
        <span className={classes.number} data-tone={ATTEMPT_TONES[outcome]} aria-hidden="true">
          {n}
        </span>
        <RouteName scraper={scraper} proxyType={proxy_type} />
        <span className={classes.pills}>
          {/* A page that was rejected can be delivered, too: the text below explains it. */}
          {delivered !== null && outcome === 'ok' && (
            <Pill tone="blue" icon={IconCheck}>
              <Trans>delivered</Trans>
            </Pill>
          )}
          <Pill tone={ATTEMPT_TONES[outcome]}>{outcome}</Pill>
        </span>
      </div>
      {verdict !== null && (
        <p className={classes.result}>
          {resultText(verdict, delivered?.verdict?.confidence, delivered !== null && outcome === 'rejected')}
          {error_code !== null && <code className="mono">{error_code}</code>}
        </p>
      )}
      {delivered?.verdict != null && delivered.verdict.signals.length > 0 && (
        <ul className={classes.signals} aria-label={t`Signals`}>
          {delivered.verdict.signals.map((signal) => (
            <li key={signal} className="mono">
              {signal}
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

/** @param confidence from 0 to 1 @param isReturned the page was returned although it was rejected */
function resultText(verdict: Verdict, confidence: number | undefined, isReturned: boolean): string {
  const text = capitalised(verdictText(verdict));
  const result = confidence === undefined ? text : `${text} (${Math.round(confidence * 100)} %)`;
  return isReturned ? t`${result}. Returned, because no attempt did better.` : result;
}

type Verdict = NonNullable<Schema<'Attempt'>['verdict']>;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const reasonText = (reason: string): string =>
  reason === 'named by the request' ? t`you chose this scraper` : reason;

type Detail = NonNullable<ScrapeRouter['cost_details']>[number];

/** The total cost and its details. Renders nothing if there are no prices. */
function CostList({ router }: { readonly router: ScrapeRouter }) {
  const { request_cost, cost_details = [], cost_unit = '' } = router;
  if (request_cost === null) return null;
  return (
    <table className={classes.costs}>
      <caption className={classes.hidden}>
        <Trans>What it cost</Trans>
      </caption>
      <thead className={classes.hidden}>
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
              {detail.cost} {cost_unit}
            </td>
          </tr>
        ))}
        <tr className={classes.total}>
          <th scope="row">
            <Trans>Total</Trans>
          </th>
          <td>
            {request_cost} {cost_unit}
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

const costAmountText = ({ item, quantity, unit_price }: Detail): string =>
  item === 'proxy_traffic'
    ? t`${formatBytes(quantity)} at ${unit_price} a GB`
    : t`${quantity} at ${unit_price}`;

/**
 * The number of the attempt whose page was delivered, by the rule of contract §8 a; null: there was no page, or the response
 * does not contain attempts.
 */
function deliveredAttempt({ router, status_code, errors }: AnyScrape): number | null {
  const { attempts, verdict, scraper, proxy_type } = router;
  if (attempts === undefined || router.outcome === 'failed' || router.outcome === 'planned') return null;
  // An error that names an attempt is never about the delivered one.
  const withError = new Set<number | undefined>(errors.map(({ attempt }) => attempt));
  const mayBeDelivered = (attempt: Schema<'Attempt'>) =>
    (attempt.outcome === 'ok' || attempt.outcome === 'rejected') &&
    attempt.scraper === scraper &&
    attempt.proxy_type === proxy_type &&
    (status_code === null || attempt.status_code === status_code);
  const pages = attempts.filter(mayBeDelivered);
  const best =
    pages.findLast(({ outcome }) => outcome === 'ok') ??
    pages.findLast((attempt) => attempt.verdict === verdict?.kind && !withError.has(attempt.n)) ??
    pages.at(-1);
  return best?.n ?? null;
}
