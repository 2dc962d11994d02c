import { MISSING_SCOPE } from '../../account/authenticate.ts';
import type { Principal } from '../../domain/account.ts';
import { isFailure } from '../../domain/failure.ts';
import type { CompareTo } from '../../domain/monitors.ts';
import type { Scrape } from '../../domain/scrape.ts';
import type { Task } from '../../domain/task.ts';
import { type Baseline, changeOf, lastBaseline, namedBaseline } from '../../monitors/compare-to.ts';
import { missingOption } from '../../monitors/read-snapshot.ts';
import { answerJson } from '../../wire/answer/answer-json.ts';
import { changeMembers } from '../../wire/change.ts';
import { toRecord } from '../../wire/record/to-record.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { missingRecord } from './missing-record.ts';

/** Adds `scraper_data.change` to a scrape. */
type AddChange = (scrape: Scrape) => Promise<Scrape>;

/**
 * Finds the record that a scrape is to be compared with (`router.compare_to`).
 * @throws Refusal if the caller may not read records, or the record cannot be compared
 */
export async function prepareComparison(
  deps: EndpointDeps,
  principal: Principal,
  task: Task,
  compareTo: CompareTo,
): Promise<AddChange> {
  if (!principal.scopes.includes('read')) throw new Refusal([MISSING_SCOPE.read]);
  const missing = missingOption(task, compareTo.format);
  if (missing !== null) {
    const pointer = '/router/compare_to/format';
    throw Refusal.of('request.validation', `\`${pointer}\` needs \`${missing}\`.`, { pointer });
  }
  const baseline = await baselineOf(deps, principal.userId, task, compareTo);
  return async (scrape) => {
    const { delivered, id } = scrape;
    if (delivered?.content == null || id === null) return scrape;
    // With the content, whatever is kept of it.
    const whole = { ...scrape, task: { ...task, router: { ...task.router, retain: 'full' as const } } };
    const record = toRecord(whole, principal, answerJson(whole));
    const change = await changeOf(scrape, record, compareTo, baseline, deps);
    const json = JSON.stringify({ state: change.state, ...changeMembers(change) });
    return { ...scrape, delivered: { ...delivered, data: [...delivered.data, ['change', json]] } };
  };
}

async function baselineOf(
  deps: EndpointDeps,
  userId: string,
  task: Task,
  compareTo: CompareTo,
): Promise<Baseline> {
  const { records } = deps.store;
  if (compareTo.record === 'last') return await lastBaseline(task, compareTo, userId, records, deps);
  const record = await records.get(compareTo.record, userId);
  if (record === null) throw missingRecord(compareTo.record, deps);
  const baseline = await namedBaseline(record, task, compareTo, records, deps);
  if (isFailure(baseline)) throw new Refusal([baseline]);
  return baseline;
}
