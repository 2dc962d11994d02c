import type { FailureCode } from '../domain/failure.ts';
import type { Step } from '../domain/scrape.ts';
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

/** The way to the target failed, and led there later: it was that one exit, or it has mended. */
function isOver(one: Ended, later: readonly Ended[]): boolean {
  if (!failedOnTheWay(one)) return false;
  const { proxyType } = one.step;
  return later.some((after) => after.step.proxyType === proxyType && after.sent && !failedOnTheWay(after));
}

const failedOnTheWay = ({ code }: Ended): boolean => code !== null && OF_THE_EXIT.has(code);

/** Whether one attempt shows it: the step lacks what was missing there. */
function rulesOut({ step: tried, code, failed }: Ended, step: Step): boolean {
  const sameExit = step.proxyType === tried.proxyType;
  if (code !== null) return sameExit && OF_THE_EXIT.has(code);
  const way = WAYS[wayOf(step)]!;
  const before = WAYS[wayOf(tried)]!;
  switch (failed) {
    case 'js':
      return !way.js;
    case 'fingerprint':
      return way.fingerprint <= before.fingerprint;
    case 'ip':
      return way.ip <= before.ip;
    case 'rate':
      return sameExit;
    case 'wall':
      return true;
    case null:
      return false;
  }
}
