import type { Principal } from '../../domain/account.ts';
import { FAILURES, type Failure } from '../../domain/failure.ts';
import type { Schedule } from '../../domain/monitors.ts';
import type { Task } from '../../domain/task.ts';
import { domainRefusal } from '../../domain/url-check.ts';
import { scheduleProblem } from '../../runs/schedule.ts';
import { withPrefix } from '../../wire/jobs/item-request.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal, refuseIf } from '../core/refusal.ts';

/** @throws Refusal */
export function refuse(pointer: string, message: string): never {
  const problems: Problems = [];
  addProblem(problems, pointer, message);
  throw new Refusal(problems);
}

/** @throws Refusal if nothing can run on the schedule */
export function checkSchedule(schedule: Schedule, now: number): void {
  const found = scheduleProblem(schedule, now);
  if (found !== null) refuse(`/schedule${found.path}`, found.why);
}

interface RunRequests {
  /** The URLs that a run requests first. */
  readonly urls: readonly string[];
  /** With their places in the body. */
  readonly requests: readonly { readonly task: Task; readonly pointer: string }[];
}

/**
 * Refuses what no run could ever fetch, as a scrape would be refused: URLs that the caller's key may not scrape (another key
 * must not give them to a monitor or a schedule either), and requests that no scraper and proxy can do.
 * @throws Refusal
 */
export async function checkRunRequests(
  { urls, requests }: RunRequests,
  principal: Principal,
  { pipeline }: Pick<EndpointDeps, 'pipeline'>,
): Promise<void> {
  for (const url of urls) refuseIf(domainRefusal(principal, new URL(url)));
  for (const { task, pointer } of requests) {
    await pipeline.discover(task);
    const { failure: refused, ...planned } = pipeline.plan(task);
    // What may be gone later, such as a day's spending on a vendor, is an error of the run that meets it.
    if (refused === null || isPassing(refused)) continue;
    const candidates = planned.plan === null ? planned.candidates : undefined;
    throw new Refusal([withPrefix(refused, pointer)], { candidates });
  }
}

/** What a day's spending excludes has no pointer. */
const isPassing = ({ code, pointer }: Failure): boolean =>
  FAILURES[code].retryable || (code === 'route.cost_cap' && pointer === undefined);
