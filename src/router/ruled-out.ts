import type { FailureCode } from '../domain/failure.ts';
import type { Step } from '../domain/scrape.ts';
import { isBlocked } from '../domain/verdict.ts';
import type { Ended } from './ended.ts';
import { WAYS, wayOf } from './ways.ts';

/** It is the way to the target that fails, whoever goes it: only another kind of exit may help. */
const OF_THE_EXIT: ReadonlySet<FailureCode> = new Set([
  'dns.failed',
  'connect.refused',
  'connect.timeout',
  'connect.unreachable',
  'proxy.failed',
]);

/** Whether the attempts that ended show that a step cannot succeed either. */
export function ruledOut(step: Step, ended: readonly Ended[]): boolean {
  return ended.some((one, at) => rulesOut(one, step) && !isOver(one, ended.slice(at + 1)));
}

/**
 * Whether a page that refused says that this step would be refused too, because it lacks what was missing there. Such
 * pages name the address where they mean the client, and the other way round: it is no proof.
 */
export function spokenAgainst(step: Step, ended: readonly Ended[]): boolean {
  return ended.some((one) => isRefusal(one) && lacks(one, step));
}

/** The way to the target failed, and led there later: it was that one exit, or it has mended. */
function isOver(one: Ended, later: readonly Ended[]): boolean {
  if (!failedOnTheWay(one)) return false;
  const { proxyType } = one.step;
  return later.some((after) => after.step.proxyType === proxyType && after.sent && !failedOnTheWay(after));
}

const failedOnTheWay = ({ code }: Ended): boolean => code !== null && OF_THE_EXIT.has(code);

/** Whether one attempt shows it. */
function rulesOut(one: Ended, step: Step): boolean {
  const { code, failed } = one;
  const sameExit = step.proxyType === one.step.proxyType;
  if (code !== null) return sameExit && OF_THE_EXIT.has(code);
  if (failed === 'wall') return true;
  if (failed === 'rate') return sameExit;
  return !isRefusal(one) && lacks(one, step);
}

const isRefusal = ({ verdict }: Ended): boolean => isBlocked(verdict) && verdict !== 'wall';

/** Whether a step lacks what was missing in an attempt. */
function lacks({ step: tried, failed }: Ended, step: Step): boolean {
  const way = WAYS[wayOf(step)]!;
  const before = WAYS[wayOf(tried)]!;
  if (failed === 'js') return !way.js;
  if (failed === 'fingerprint') return way.fingerprint <= before.fingerprint;
  return failed === 'ip' && way.ip <= before.ip;
}
