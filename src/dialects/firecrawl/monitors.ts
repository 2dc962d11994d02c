import { isObject } from '../../domain/json-schema.ts';
import { BadRequest } from './bad-request.ts';
import { ApiRefusal, type Caller, jsonOf } from './caller.ts';
import { CRAWL_MEMBERS, crawlOf, newCrawl } from './crawl.ts';
import type { DialectCall } from './dialect-call.ts';
import { newDraft, requestOf, type ScrapeDraft } from './draft.ts';
import { noModel } from './job-members.ts';
import { wholeNumber } from './jobs.ts';
import {
  booleanAt,
  choiceAt,
  type Json,
  listAt,
  type Members,
  objectAt,
  readMembers,
  refused,
  stored,
  supported,
  textAt,
  textsAt,
} from './members.ts';
import { checkOf, checkPages, monitorOf, type OwnMonitor, type OwnRun } from './monitor-objects.ts';
import { targetAt } from './scrape.ts';
import { CLIENT_MEMBERS, readScrapeOptions } from './scrape-options.ts';

interface MonitorDraft {
  /** Members of our monitor. */
  readonly monitor: Record<string, unknown>;
  readonly hasModel: boolean;
  status: 'active' | 'paused' | null;
}

const SCHEDULE: Members<Record<string, unknown>> = {
  cron: stored('five fields', 'cron', textAt),
  timezone: stored('such as Europe/Berlin', 'timezone', textAt),
  text: refused('write it as cron.'),
};

const EMAIL: Members<null> = {
  enabled: supported('only `false`', (value, _, at) => {
    if (booleanAt(value, at)) throw new BadRequest(`${at}: e-mails are not supported by this service.`);
  }),
  recipients: refused('it sends no e-mails.'),
  includeDiffs: refused('it sends no e-mails.', [false]),
};

/** The members of `POST /v2/monitor`. */
export const MONITOR_MEMBERS: Members<MonitorDraft> = {
  name: supported('for lists', (value, { monitor }, at) => {
    monitor.name = textAt(value, at);
  }),
  schedule: supported('`cron` (five fields) and `timezone`', (value, { monitor }, at) => {
    const schedule: Record<string, unknown> = {};
    readMembers(SCHEDULE, value, schedule, at);
    monitor.schedule = schedule;
  }),
  targets: supported('one of type `scrape` (several URLs) or `crawl`', (value, draft, at) => {
    const targets = listAt(value, at);
    if (targets.length !== 1)
      throw new BadRequest(`${at}: a monitor of this service has one target. Make a monitor for each.`);
    readTarget(targets[0], draft, `${at}[0]`);
  }),
  webhook: refused('messages of monitors have a form of their own: use POST /api/v1/monitors/.'),
  notification: supported('only without e-mails', (value, _, at) => {
    readMembers(EMAIL, objectAt(value, at).email ?? {}, null, `${at}.email`);
  }),
  retentionDays: refused('the last 30 runs are kept.'),
  goal: refused('no model judges changes; see compare.ignore of POST /api/v1/monitors/.'),
  judgeEnabled: refused('no model judges changes.', [false]),
  ...CLIENT_MEMBERS,
};

/** What a change of a monitor has besides. */
const CHANGE_MEMBERS: Members<MonitorDraft> = {
  ...MONITOR_MEMBERS,
  status: supported('`active` or `paused`', (value, draft, at) => {
    draft.status = choiceAt(value, at, ['active', 'paused']);
  }),
};

interface TargetDraft extends MonitorDraft {
  type: string;
  urls: readonly string[];
  url: unknown;
  crawlOptions: Json;
  scrapeOptions: unknown;
}

const TARGET: Members<TargetDraft> = {
  type: supported('`scrape` or `crawl`', (value, target, at) => {
    if (value === 'search') throw new BadRequest(`${at}: search is not supported by this service.`);
    target.type = choiceAt(value, at, ['scrape', 'crawl']);
  }),
  urls: supported('of `scrape`', (value, target, at) => {
    target.urls = textsAt(value, at).map((url, index) => targetAt(url, `${at}[${index}]`));
  }),
  url: supported('of `crawl`', (value, target) => {
    target.url = value;
  }),
  crawlOptions: stored('as of crawls', 'crawlOptions', objectAt),
  scrapeOptions: supported('as of scrapes', (value, target) => {
    target.scrapeOptions = value;
  }),
};

/** Sets `batch` or `crawl` of our monitor. */
function readTarget(value: unknown, draft: MonitorDraft, at: string): void {
  const { id: _, ...members } = objectAt(value, at);
  const target: TargetDraft = {
    ...draft,
    type: '',
    urls: [],
    url: null,
    crawlOptions: {},
    scrapeOptions: {},
  };
  readMembers(TARGET, members, target, at);
  if (target.type === 'crawl') {
    const crawl = newCrawl();
    const options = {
      ...target.crawlOptions,
      scrapeOptions: target.crawlOptions.scrapeOptions ?? target.scrapeOptions,
    };
    readMembers(CRAWL_MEMBERS, options, crawl, `${at}.crawlOptions`);
    if (crawl.job.webhook !== undefined)
      throw new BadRequest(`${at}.crawlOptions.webhook is not for monitors.`);
    draft.monitor.crawl = {
      ...crawl.job,
      ...crawlOf(crawl, targetAt(target.url, `${at}.url`)),
      request: monitoredRequest(crawl.scrape, draft.hasModel),
    };
    return;
  }
  if (target.urls.length === 0) throw new BadRequest(`${at} must have type and urls.`);
  const scrape = newDraft();
  readScrapeOptions(target.scrapeOptions, scrape, `${at}.scrapeOptions`);
  const requests = target.urls.map((url) => ({ url }));
  draft.monitor.batch = { requests, defaults: monitoredRequest(scrape, draft.hasModel) };
}

function monitoredRequest(scrape: ScrapeDraft, hasModel: boolean): Json {
  if (scrape.notInJobs !== null) throw new BadRequest(scrape.notInJobs);
  if (scrape.prompt !== null && !hasModel) throw new BadRequest(noModel(scrape.prompt));
  return requestOf(scrape);
}

const MONITORS = '/api/v1/monitors/';
const pathOf = (id: string, rest = ''): string => `${MONITORS}${encodeURIComponent(id)}/${rest}`;

/** A reply in the envelope of Firecrawl. */
const data = (value: unknown): Json => ({ success: true, data: value });

/** All items of a list of ours. Users have at most 500 monitors, and monitors 1,000 runs. */
async function allItems<T>(caller: Caller, path: string): Promise<readonly T[]> {
  const items: T[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Json = await caller.get(`${path}?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
    items.push(...(page.items as readonly T[]));
    cursor = page.next_cursor as string | null;
  }
  return items;
}

function slice<T>(items: readonly T[], { limit, offset }: DialectCall['query']): readonly T[] {
  const start = wholeNumber(offset, 'offset', 0) ?? 0;
  return items.slice(start, start + (wholeNumber(limit, 'limit', 1) ?? items.length));
}

async function withLastRun(caller: Caller, monitor: OwnMonitor): Promise<Json> {
  const { items } = await caller.get(pathOf(monitor.id, 'runs/?limit=1'));
  return monitorOf(monitor, (items as readonly OwnRun[])[0] ?? null);
}

/** `POST /v2/monitor`. */
export async function createMonitor({ body, caller, deps, idempotency }: DialectCall): Promise<Json> {
  const draft: MonitorDraft = { monitor: {}, hasModel: deps.hasModel, status: null };
  readMembers(MONITOR_MEMBERS, body, draft, '');
  for (const member of ['name', 'schedule', 'targets'])
    if (!isObject(body) || body[member] === undefined)
      throw new BadRequest(`The request must have ${member}.`);
  // Its clients begin the first check themselves.
  const monitor = await caller.post(MONITORS, { ...draft.monitor, first_run: 'scheduled' }, idempotency);
  return data(monitorOf(monitor as unknown as OwnMonitor, null));
}

/** `GET /v2/monitor`. */
export async function listMonitors({ query, caller }: DialectCall): Promise<Json> {
  const monitors = slice(await allItems<OwnMonitor>(caller, MONITORS), query);
  const shown: Json[] = [];
  for (const monitor of monitors) shown.push(await withLastRun(caller, monitor));
  return data(shown);
}

/** `GET /v2/monitor/{id}`. */
export async function getMonitor({ params, caller }: DialectCall): Promise<Json> {
  const monitor = await caller.get(pathOf(params.id!));
  return data(await withLastRun(caller, monitor as unknown as OwnMonitor));
}

/** `PATCH /v2/monitor/{id}`. */
export async function updateMonitor(call: DialectCall): Promise<Json> {
  const { body, params, caller, deps } = call;
  const draft: MonitorDraft = { monitor: {}, hasModel: deps.hasModel, status: null };
  readMembers(CHANGE_MEMBERS, body, draft, '');
  const path = pathOf(params.id!);
  let monitor = (await caller.get(path)) as unknown as OwnMonitor;
  if (Object.keys(draft.monitor).length > 0) {
    const reply = await caller.send({ method: 'PATCH', path, body: draft.monitor });
    if (reply.status !== 200) throw new ApiRefusal(reply);
    monitor = jsonOf(reply) as unknown as OwnMonitor;
  }
  if (draft.status !== null && draft.status !== monitor.state)
    await caller.post(`${path}${draft.status === 'paused' ? 'pause' : 'resume'}/`, undefined);
  return getMonitor(call);
}

/** `DELETE /v2/monitor/{id}`. */
export async function deleteMonitor({ params, caller }: DialectCall): Promise<Json> {
  const reply = await caller.send({ method: 'DELETE', path: pathOf(params.id!) });
  if (reply.status !== 204) throw new ApiRefusal(reply);
  return { success: true };
}

/** `POST /v2/monitor/{id}/run`. */
export async function runMonitor({ params, caller }: DialectCall): Promise<Json> {
  const { n } = await caller.post(pathOf(params.id!, 'run/'), undefined);
  return data(checkOf(await runAt(caller, params.id!, String(n)), params.id!));
}

/** The run with this number. @throws BadRequest 404 */
async function runAt(caller: Caller, id: string, n: string): Promise<OwnRun> {
  if (/^\d{1,8}$/.test(n)) {
    const { items } = await caller.get(pathOf(id, `runs/?limit=1&cursor=${Number(n) + 1}`));
    const [run] = items as readonly OwnRun[];
    if (run !== undefined && run.n === Number(n)) return run;
  }
  throw new BadRequest('Check not found.', 404);
}

/** `GET /v2/monitor/{id}/checks`. */
export async function listChecks({ params, query, caller }: DialectCall): Promise<Json> {
  const runs = await allItems<OwnRun>(caller, pathOf(params.id!, 'runs/'));
  return data(slice(runs, query).map((run) => checkOf(run, params.id!)));
}

/** `GET /v2/monitor/{id}/checks/{check}`: with the pages that are not the same. */
export async function getCheck({ params, query, caller, deps }: DialectCall): Promise<Json> {
  const { id, check } = params as { readonly id: string; readonly check: string };
  const skip = wholeNumber(query.skip, 'skip', 0) ?? 0;
  const limit = wholeNumber(query.limit, 'limit', 1) ?? 100;
  const run = await runAt(caller, id, check);
  const { status } = query;
  const pages = checkPages(run).filter((page) => status === undefined || page.status === status);
  const end = skip + limit;
  const filter = status === undefined ? '' : `&status=${encodeURIComponent(status)}`;
  const next =
    end < pages.length
      ? `${deps.baseUrl()}/v2/monitor/${id}/checks/${check}?skip=${end}&limit=${limit}${filter}`
      : null;
  const detail = { ...checkOf(run, id), pages: pages.slice(skip, end), next };
  return { success: true, next, data: detail };
}
