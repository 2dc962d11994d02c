import type { Deadline } from '../base/deadline.ts';
import type { Job } from '../domain/job.ts';
import type { Gate } from '../router/gate.ts';
import { type Plan, replan } from '../router/plan.ts';
import { siteKeyOf } from '../router/site-key.ts';
import { wayOf } from '../router/ways.ts';

export interface Scouted {
  readonly plan: Plan;
  readonly waitedMs: number;
  /** To be called when the first attempt has ended. */
  readonly leave: () => void;
}

const FREE: () => void = () => {};

/** A crowd at an unknown site does not try every way at once: a few go first, the others wait for what they find. */
export async function afterScouts(gate: Gate, plan: Plan, job: Job, deadline: Deadline): Promise<Scouted> {
  const key = siteKeyOf(job.url);
  const view = plan.outlook([]);
  const p = view.success(wayOf(plan.steps[0]!));
  const seconds = gate.wait(key, view.seen, p, deadline.remaining() / 1000);
  let waitedMs = 0;
  let now = plan;
  if (seconds > 0) {
    const before = deadline.remaining();
    await left(gate, job, seconds * 1000, deadline);
    waitedMs = before - deadline.remaining();
    now = replan(plan, job);
  }
  gate.enter(key);
  return { plan: now, waitedMs, leave: () => gate.leave(key) };
}

/** Whether there is a choice at all, about which scouts could tell something. */
export const mayScout = (plan: Plan): boolean => !plan.named && plan.steps.length > 1;

/** There is nothing to find out. */
export const unscouted = (plan: Plan): Scouted => ({ plan, waitedMs: 0, leave: FREE });

/** Settles when one of the scouts is back, after `ms`, or when the deadline ends. */
function left(gate: Gate, job: Job, ms: number, { signal }: Deadline): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stay();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const stay = gate.onLeave(siteKeyOf(job.url), done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
