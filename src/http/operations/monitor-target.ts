import type { Static } from 'typebox';
import type { Principal } from '../../domain/account.ts';
import { type CompareOptions, MONITOR_KINDS, type MonitorKind } from '../../domain/monitors.ts';
import { missingOption } from '../../monitors/read-snapshot.ts';
import { type MonitoredRequest, type MonitorTarget, runJobOf, targetUrls } from '../../monitors/start-run.ts';
import type { MonitorChangeRequest } from '../../wire/monitors.ts';
import { maskedRequestJson } from '../../wire/request/masked-request.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { Refusal } from '../core/refusal.ts';
import { checkRunRequests, refuse } from './run-requests.ts';

/** Refuses what no run could ever fetch. @throws Refusal */
export const checkRequests = (
  { target, requests }: ReadTarget,
  principal: Principal,
  deps: EndpointDeps,
): Promise<void> => checkRunRequests({ requests, urls: targetUrls(target) }, principal, deps);

/** The comparison of a page needs data that its request asks for. Of a crawl, one of its requests must. */
export function checkCompared(
  { target, requests }: Omit<ReadTarget, 'request'>,
  { format }: CompareOptions,
): void {
  const lacking = requests.flatMap(({ task, pointer }) => {
    const missing = missingOption(task, format);
    return missing === null ? [] : [{ missing, pointer }];
  });
  if (target.kind === 'crawl' && lacking.length < requests.length) return;
  const [first] = lacking;
  if (first !== undefined)
    refuse('/compare/format', `needs \`${`${first.pointer}/${first.missing}`.replaceAll('.', '/')}\``);
}

export const acceptedTarget = (target: MonitorTarget, userId: string, deps: EndpointDeps) =>
  runJobOf(target, userId, { ...deps, templates: deps.store.templates, priced: () => deps.prices !== null });

/** The part of the body that says what is fetched; null: it has none. @throws Refusal if it is not valid */
export async function readTarget(
  body: Pick<Static<typeof MonitorChangeRequest>, MonitorKind>,
  userId: string,
  deps: EndpointDeps,
): Promise<ReadTarget | null> {
  const kinds = MONITOR_KINDS.filter((kind) => body[kind] !== undefined);
  if (kinds.length > 1) refuse('', ONE_TARGET);
  const [kind] = kinds;
  if (kind === undefined) return null;
  const target = { kind, members: body[kind] } as MonitorTarget;
  const accepted = await acceptedTarget(target, userId, deps);
  if (!('job' in accepted)) throw new Refusal(accepted);
  const { job, requests } = accepted;
  return {
    target,
    requests,
    request: target.kind === 'batch' ? shownBatch(target) : job.request,
  };
}

/** A batch with the URLs of its requests, which jobs do not show. */
function shownBatch(target: Extract<MonitorTarget, { kind: 'batch' }>): string {
  const urls = targetUrls(target).map((url) => {
    const { href } = Object.assign(new URL(url), { username: '', password: '' });
    return href;
  });
  const { requests, defaults } = target.members;
  const masked = defaults === undefined ? {} : (JSON.parse(maskedRequestJson({ defaults })) as object);
  return JSON.stringify({ requests: requests.length, ...masked, urls });
}

export interface ReadTarget {
  readonly target: MonitorTarget;
  readonly requests: readonly MonitoredRequest[];
  /** As JSON text, secrets masked. */
  readonly request: string;
}

export const ONE_TARGET = 'must have one of `request`, `crawl` and `batch`';
