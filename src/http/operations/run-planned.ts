import type { Accounts } from '../../account/accounts.ts';
import { type Principal, payerOf } from '../../domain/account.ts';
import { loginRefusal } from '../../domain/login-refusal.ts';
import type { Task } from '../../domain/task.ts';
import { domainRefusal, urlCheckOf } from '../../domain/url-check.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { AnsweredScrape, Pipeline, PipelineRequest } from '../../pipeline/pipeline.ts';
import type { InFlight } from '../core/in-flight.ts';
import { Refusal, refuseIf } from '../core/refusal.ts';

interface RunPlannedDeps {
  readonly accounts: Pick<Accounts, 'reserveBudget' | 'releaseBudget' | 'spend'>;
  readonly pipeline: Pick<Pipeline, 'plan' | 'run'>;
  readonly inFlight: InFlight;
  readonly metrics: Pick<Metrics, 'changeInFlight'>;
}

type Plan = NonNullable<ReturnType<Pipeline['plan']>['plan']>;

/** Reserves the budget and plans the scrape. Rejects with a Refusal, without a reservation, if one of them fails. */
export async function reserveBudgetAndPlan(
  deps: Pick<RunPlannedDeps, 'accounts' | 'pipeline'>,
  principal: Principal,
  task: Task,
): Promise<Plan> {
  const payer = payerOf(principal, task.host);
  refuseIf(await deps.accounts.reserveBudget(payer));
  const planned = deps.pipeline.plan(task);
  const refused =
    (principal.domains.length === 0 ? null : domainRefusal(principal, new URL(task.url))) ??
    loginRefusal(principal, task) ??
    planned.failure;
  if (refused === null) return planned.plan!;
  deps.accounts.releaseBudget(payer);
  throw new Refusal([refused], { candidates: planned.failure === refused ? planned.candidates : undefined });
}

/** Runs a scrape after `reserveBudgetAndPlan`, so that a shutdown waits for it, and counts its cost. */
export async function runPlanned(
  { accounts, pipeline, inFlight, metrics }: RunPlannedDeps,
  request: Omit<PipelineRequest, 'allowUrl'>,
): Promise<AnsweredScrape> {
  const { principal, cancel } = request;
  const allowUrl = urlCheckOf(principal.domains);
  inFlight.add(cancel);
  metrics.changeInFlight(1);
  let answered: AnsweredScrape;
  try {
    answered = await pipeline.run({ ...request, allowUrl });
  } finally {
    inFlight.delete(cancel);
    metrics.changeInFlight(-1);
  }
  accounts.spend(principal, answered.scrape.cost);
  // No attempt was made and no record stored, so the scrape does not count towards the daily budget.
  if (answered.scrape.id === null && answered.scrape.attempts.length === 0)
    accounts.releaseBudget(payerOf(principal, request.task.host));
  return answered;
}
