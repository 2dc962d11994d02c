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

/** Whether an attempt that ended shows that a step cannot succeed either: it lacks what was missing there. */
export function ruledOut(step: Step, { step: tried, code, failed }: Ended): boolean {
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
