import type { Static } from 'typebox';
import { metricSubjects } from '../../alerts/metrics.ts';
import { type TriedRule, tryRule } from '../../alerts/try-rule.ts';
import type { Principal } from '../../domain/account.ts';
import {
  ALERT_DURATIONS,
  type AlertConditions,
  type AlertKind,
  COST_METRICS,
  isAboutAll,
  type MetricConditions,
  SYSTEM_ALERT_KINDS,
} from '../../domain/alerts.ts';
import { EFFORT_UNIT } from '../../domain/cost.ts';
import { SCRAPER_NAMES, vendorName } from '../../domain/scrapers.ts';
import { MODEL } from '../../domain/site-stats.ts';
import { readConditions } from '../../wire/alerts/alert-rule.ts';
import { type AlertTrialRequest, alertTrialJson } from '../../wire/alerts/alert-trial.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';

/** @throws Refusal if only administrators may have such a rule */
export function checkRights(kind: AlertKind, conditions: AlertConditions, principal: Principal): void {
  if (principal.role === 'admin' && principal.scopes.includes('admin')) return;
  if (SYSTEM_ALERT_KINDS.includes(kind))
    throw Refusal.of(
      'auth.scope',
      `Only administrators have alerts of the kind ${kind}: it is about the whole service.`,
    );
  if (isAboutAll(kind, conditions))
    throw Refusal.of(
      'auth.scope',
      'Only administrators have alerts about what all users do (`all_users`, the scope `user`, and budgets of sites).',
    );
}

/** @throws Refusal if nothing has a price, or if there is no such subject */
export function checkMetric(
  deps: EndpointDeps,
  metric: MetricConditions,
  subject: string | null,
  userId: string,
): void {
  const { accounts, pipeline, prices } = deps;
  const problems: Problems = [];
  if (prices === null && COST_METRICS.includes(metric.metric))
    addProblem(problems, '/conditions/metric', 'needs prices, and none are configured');
  const vendors = pipeline.vendors().map(({ scraper }) => vendorName(scraper));
  const known = { scrapers: [...SCRAPER_NAMES, MODEL], vendors };
  const subjects = subject === null ? null : metricSubjects({ accounts }, metric, userId, known);
  if (subjects !== null && !subjects.includes(subject!))
    addProblem(
      problems,
      '/conditions/subject',
      metric.metric === 'budget_left'
        ? 'is no key of yours with a daily budget'
        : metric.scope === 'key' && !metric.allUsers
          ? 'is no key of yours that works'
          : `is no ${metric.scope} that there is`,
    );
  if (problems.length > 0) throw new Refusal(problems);
}

/** The rule of a trial. @throws Refusal */
export function triedRule(
  deps: EndpointDeps,
  body: Static<typeof AlertTrialRequest>,
  principal: Principal,
): TriedRule {
  const problems: Problems = [];
  const conditions = readConditions(body.kind, body.conditions, problems);
  if (problems.length > 0) throw new Refusal(problems);
  checkRights(body.kind, conditions, principal);
  const { userId } = principal;
  const metric = conditions.metric!;
  checkMetric(deps, metric, conditions.subject, userId);
  const { forS, clearForS } = ALERT_DURATIONS.metric;
  return {
    userId,
    conditions: { ...conditions, metric },
    forS: body.for_s ?? forS,
    clearForS: body.clear_for_s ?? clearForS,
  };
}

/** What the rule would have done. */
export async function trialOf({ watched, clock, prices }: EndpointDeps, rule: TriedRule) {
  const trial = await tryRule(watched.metrics.deps, rule, clock.now());
  return alertTrialJson(trial, prices?.currency ?? EFFORT_UNIT);
}
