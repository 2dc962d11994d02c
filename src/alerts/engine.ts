import type { Accounts } from '../account/accounts.ts';
import type { Clock } from '../base/time.ts';
import { sleep } from '../base/wait.ts';
import { type AlertRule, isAboutAll } from '../domain/alerts.ts';
import type { AlertStore } from '../ports/alerts.ts';
import type { Holding, SharedLimits } from '../ports/coordination.ts';
import { Readings, type ReadingsDeps } from './readings.ts';
import { evaluateRule } from './transitions.ts';

export interface AlertEngineDeps extends ReadingsDeps {
  readonly alerts: AlertStore;
  readonly accounts: ReadingsDeps['accounts'] & Pick<Accounts, 'jobPrincipal'>;
  /** Of all services that use the store: one of them at a time evaluates the rules. */
  readonly limits: Pick<SharedLimits, 'take'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const ROUND_MS = 5_000;
const SWEEP_MS = 3_600_000;
/** Events are kept for so long (contract §23). */
const KEPT_MS = 90 * 86_400_000;
/** The name of the limit that lets one service at a time evaluate the rules. */
const LEADER = 'alerts:leader';

/**
 * Evaluates all rules every five seconds. What it finds is stored with the deliveries that tell of it, which the dispatcher of webhooks
 * sends.
 */
export function startAlertEngine(deps: AlertEngineDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let lead: Holding | null = null;
  let sweepDue = 0;
  const leads = async () => {
    if (lead === null || lead.signal.aborted) lead = await deps.limits.take([{ name: LEADER, limit: 1 }]);
    return lead !== null;
  };
  const attempt = async () => {
    if (!(await leads())) return;
    await evaluateAll(deps);
    if (deps.clock.monotonic() < sweepDue) return;
    sweepDue = deps.clock.monotonic() + SWEEP_MS;
    await deps.alerts.sweep(deps.clock.now() - KEPT_MS);
  };
  const loop = async () => {
    do await attempt().catch(deps.onError);
    while (await sleep(ROUND_MS, stopping.signal));
  };
  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
      lead?.release();
    },
  };
}

async function evaluateAll(deps: AlertEngineDeps): Promise<void> {
  const now = deps.clock.now();
  const readings = new Readings(deps, now);
  for (const rule of await deps.alerts.enabled()) {
    if (!mayWatch(deps, rule)) continue;
    // One rule that fails does not keep the others from being evaluated.
    await evaluate(deps, rule, readings, now).catch(deps.onError);
  }
}

async function evaluate(
  { alerts }: AlertEngineDeps,
  rule: AlertRule,
  readings: Readings,
  now: number,
): Promise<void> {
  const round = evaluateRule(rule, await readings.of(rule), now);
  const { events, instances, removed } = round;
  if (events.length + instances.length + removed.length > 0) await alerts.record(round);
}

/** A user who was disabled, or is no administrator any more, is told nothing. */
function mayWatch({ accounts }: AlertEngineDeps, { userId, kind, conditions }: AlertRule): boolean {
  const owner = accounts.jobPrincipal(userId, null);
  if (typeof owner === 'string') return false;
  return owner.role === 'admin' || !isAboutAll(kind, conditions);
}
