import { type Static, Type } from 'typebox';
import { highSince } from '../../alerts/since.ts';
import { ALERT_THRESHOLDS } from '../../domain/alerts.ts';
import { BROWSER_TYPES } from '../../domain/browser-options.ts';
import { closed, count, dateTime, orNull, textOrNull } from '../../domain/json-schema.ts';
import { REMOTE_KINDS, REMOTE_NETWORKS } from '../../domain/remote-browsers.ts';
import { type Space, type SystemFacts, usedShare } from '../../domain/system.ts';
import type { SampleStore } from '../../ports/samples.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { endpoint } from '../core/endpoint.ts';
import { json } from '../core/responses.ts';
import { HISTORY_MEMBERS, HISTORY_QUERY, readHistory } from '../operations/history.ts';

const Count = Type.Integer({ minimum: 0 });
const Bytes = count('Bytes.');
const Ms = Type.Number({ minimum: 0 });

const SystemBrowser = closed(
  {
    pid: Type.Integer(),
    version: orNull(Type.String()),
    age_s: Type.Number({ minimum: 0 }),
    pages_open: Count,
    pages_served: Count,
    memory_bytes: orNull(Bytes, {
      description: 'Private memory of the main process. null if unknown.',
    }),
    retired: Type.Boolean({ description: 'Accepts no new pages; closes after its last page.' }),
  },
  { title: 'SystemBrowser' },
);

const SystemBrowserKind = closed(
  {
    browser_type: Type.Enum([...BROWSER_TYPES]),
    headless: Type.Boolean(),
    lane: Type.Enum(['full', 'fast'], {
      description: '`fast`: simple pages, with few protocol messages. `full`: everything else.',
    }),
    apart: Type.Boolean({
      description: 'For pages that recently slowed others down. Runs with lower priority.',
    }),
    starting: Type.Boolean(),
    trouble: textOrNull('Why the browser cannot run. null if there is no problem.'),
    launches: Count,
    crashes: count('Browsers that ended unexpectedly.'),
    recycles: count('Browsers replaced routinely because of their page count, age or memory.'),
    replaced: count('Browsers replaced because they hung or may have been damaged.'),
    browsers: Type.Array(SystemBrowser),
  },
  { title: 'SystemBrowserKind', description: 'A kind of browser used since the service started.' },
);

const SystemRemoteBrowser = closed(
  {
    name: Type.String(),
    kind: Type.Enum([...REMOTE_KINDS]),
    browser_types: Type.Array(Type.Enum([...BROWSER_TYPES])),
    network: Type.Enum([...REMOTE_NETWORKS]),
    users: Type.Union([Type.Enum(['all', 'admins']), Type.Array(Type.String())], {
      description: 'Who may use it: everybody, administrators, or users by e-mail address.',
    }),
    auto: Type.Boolean({ description: 'Whether `scraper: auto` may use it.' }),
    state: Type.Enum(['ready', 'unknown', 'down'], {
      description: '`unknown`: not checked yet. `down`: the last try failed; it is tried again.',
    }),
    trouble: textOrNull('Why it is down. null if it is not.'),
    version: textOrNull('Version of the browser. null if unknown.'),
    slots: closed({
      total: Count,
      used: Count,
      waiting: count('Scrapes waiting for a slot.'),
    }),
    pages_served: Count,
    failures: count('Connections that failed.'),
  },
  { title: 'SystemRemoteBrowser', description: 'A browser on another machine (`SLUICE_BROWSERS`).' },
);

const MachineSpace = closed(
  {
    total_bytes: Bytes,
    free_bytes: Bytes,
    short: Type.Boolean({
      description: 'Whether at least 90 % are in use: the usual threshold of the alerts `memory` and `disk`.',
    }),
    short_since: orNull(
      dateTime(
        'Since when it is short on this machine or that of another replica, by the minute, at most one day back. null if it is not, or only since this minute.',
      ),
    ),
  },
  { title: 'MachineSpace' },
);

const System = closed(
  {
    version: Type.String(),
    node: Type.String(),
    at: Type.String({ format: 'date-time' }),
    uptime_s: Type.Number({ minimum: 0 }),
    process: closed({
      pid: Type.Integer(),
      rss_bytes: Bytes,
      heap_used_bytes: Bytes,
      heap_total_bytes: Bytes,
      external_bytes: Bytes,
      event_loop_delay_ms: orNull(closed({ p50: Ms, p99: Ms, max: Ms }), {
        description: 'Since the previous request for these figures by anyone. null at the first request.',
      }),
    }),
    machine: closed(
      { memory: MachineSpace, disk: MachineSpace },
      {
        description:
          'The memory of the machine, or the limit of its container, and the disk of the data folder.',
      },
    ),
    memory: closed(
      {
        limit_bytes: Bytes,
        in_use_bytes: Bytes,
        waiting: count('Scrapes waiting for memory.'),
      },
      { description: 'Memory for page contents (`SLUICE_MEMORY_BYTES`).' },
    ),
    storage: closed({
      ok: Type.Boolean(),
      trouble: textOrNull('Why records cannot be stored. null if there is no problem.'),
      used_bytes: Bytes,
      limit_bytes: orNull(Bytes, { description: '`SLUICE_STORAGE_BYTES`. null with `SLUICE_DATABASE_URL`.' }),
    }),
    permits: closed({
      in_flight: count('Running requests of all users that count towards a limit.'),
      default_limit: Type.Integer({ minimum: 1, description: 'Limit of users without an individual limit.' }),
    }),
    browsers: closed({
      state: Type.Enum(['ready', 'unknown', 'unavailable', 'down'], {
        description:
          'As in `/readyz`. `unknown`: not checked yet. `down`: a browser should start but does not.',
      }),
      sandbox: Type.Enum(['on', 'off']),
      slots: closed({
        total: Count,
        used: Count,
        waiting: count('Scrapes waiting for a slot.'),
      }),
      pages_served: Count,
      refused: count('Scrapes refused because too many were waiting.'),
      kinds: Type.Array(SystemBrowserKind),
      remote: Type.Array(SystemRemoteBrowser),
    }),
  },
  { title: 'System', description: 'The current state of the service.' },
);

async function spaceObject(
  space: Space,
  kind: 'memory' | 'disk',
  samples: SampleStore,
  now: number,
): Promise<Static<typeof MachineSpace>> {
  const { threshold } = ALERT_THRESHOLDS[kind];
  const short = usedShare(space) >= threshold;
  const metric = kind === 'memory' ? 'machine_memory_share' : 'disk_share';
  const since = short ? await highSince(samples, metric, threshold, now) : null;
  return {
    total_bytes: space.total,
    free_bytes: space.free,
    short,
    short_since: since === null ? null : formatDateTime(since),
  };
}

/** The body of `GET /api/v1/system/`. @param now ms since the epoch */
function systemObject(
  { version, process, memory, storage, browsers }: SystemFacts,
  machine: Static<typeof System>['machine'],
  now: number,
  permits: { readonly inFlight: number; readonly defaultLimit: number },
): Static<typeof System> {
  const { loopDelay } = process;
  return {
    version,
    node: process.node,
    at: formatDateTime(now),
    uptime_s: roundToTenth(process.uptimeMs / 1000),
    process: {
      pid: process.pid,
      rss_bytes: process.rss,
      heap_used_bytes: process.heapUsed,
      heap_total_bytes: process.heapTotal,
      external_bytes: process.external,
      event_loop_delay_ms:
        loopDelay === null
          ? null
          : {
              p50: roundToTenth(loopDelay.p50),
              p99: roundToTenth(loopDelay.p99),
              max: roundToTenth(loopDelay.max),
            },
    },
    machine,
    memory: { limit_bytes: memory.limit, in_use_bytes: memory.inUse, waiting: memory.waiting },
    storage: {
      ok: storage.trouble === null,
      trouble: storage.trouble,
      used_bytes: storage.usedBytes,
      limit_bytes: storage.limitBytes,
    },
    permits: { in_flight: permits.inFlight, default_limit: permits.defaultLimit },
    browsers: {
      state: browsers.state,
      sandbox: browsers.sandbox,
      slots: { total: browsers.slots.total, used: browsers.slots.busy, waiting: browsers.slots.waiting },
      pages_served: browsers.pagesServed,
      refused: browsers.refused,
      kinds: browsers.kinds.map((kind) => ({
        browser_type: kind.type,
        headless: kind.headless,
        lane: kind.driver === 'cdp' ? 'fast' : 'full',
        apart: kind.quarantined,
        starting: kind.starting,
        trouble: kind.trouble,
        launches: kind.launches,
        crashes: kind.crashes,
        recycles: kind.recycles,
        replaced: kind.replaced,
        browsers: kind.browsers.map((browser) => ({
          pid: browser.pid,
          version: browser.version,
          age_s: roundToTenth(browser.ageMs / 1000),
          pages_open: browser.pages,
          pages_served: browser.served,
          memory_bytes: browser.memory === 0 ? null : browser.memory,
          retired: browser.draining,
        })),
      })),
      remote: browsers.remote.map(({ types, users, slots, served, ...remote }) => ({
        ...remote,
        browser_types: [...types],
        users: typeof users === 'string' ? users : [...users],
        slots: { total: slots.total, used: slots.busy, waiting: slots.waiting },
        pages_served: served,
      })),
    },
  };
}

const Measured = orNull(Type.Integer({ minimum: 0 }));
const Share = Type.Number({ minimum: 0, maximum: 1 });
const MeasuredBytes = orNull(count('Bytes.'));

const SystemPoint = closed(
  {
    at: Type.String({ format: 'date-time' }),
    replicas: Measured,
    requests: orNull(count('Running scrapes of requests.')),
    slots_used: Measured,
    slots_total: Measured,
    slots_waiting: orNull(count('Scrapes waiting for a browser slot.')),
    rss_bytes: orNull(count('Memory of the processes.')),
    memory_bytes: orNull(count('Memory in use for page contents.')),
    memory_limit_bytes: MeasuredBytes,
    storage_bytes: orNull(count('Size of the database and contents.')),
    storage_limit_bytes: MeasuredBytes,
    disk_free_bytes: orNull(count('Free space on the disk of the data folder.')),
    disk_share: orNull(Share, { description: 'Share of this disk that is in use.' }),
    machine_memory_share: orNull(Share, {
      description: 'Share of the memory of the machine or container that is in use.',
    }),
    jobs_queued: orNull(count('Items of jobs waiting for their turn.')),
    event_loop_delay_ms: orNull(Ms, { description: '99th percentile of ten seconds.' }),
  },
  {
    title: 'SystemPoint',
    description:
      'The highest value of each step, but the lowest of `disk_free_bytes`. Shares of the replicas are added; of what all see alike, or of each alone, the worst counts. null: not measured.',
  },
);
const SystemHistory = closed(
  { ...HISTORY_MEMBERS, points: Type.Array(SystemPoint) },
  { title: 'SystemHistory' },
);

const roundToTenth = (value: number): number => Math.round(value * 10) / 10;

export const SYSTEM = [
  endpoint({
    method: 'get',
    path: '/api/v1/system/',
    operationId: 'getSystem',
    summary: 'Get the state of the service',
    description: 'Current process, memory, storage, limits and browsers of this process. For administrators.',
    access: 'role:admin',
    responses: { 200: json('The figures.', System) },
    handler: async ({ reply }, { system, store, clock, permits, defaultConcurrency }) => {
      reply.header('cache-control', 'no-store');
      const inFlight = await permits.inUse(null);
      const facts = await system();
      const { memory, disk } = facts.machine;
      const machine = {
        memory: await spaceObject(memory, 'memory', store.samples, clock.now()),
        disk: await spaceObject(disk, 'disk', store.samples, clock.now()),
      };
      return systemObject(facts, machine, clock.now(), { inFlight, defaultLimit: defaultConcurrency });
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/system/history/',
    operationId: 'getSystemHistory',
    summary: 'Get the state of the service over time',
    description:
      'Of all replicas together; other replicas with a delay of at most a minute. Minutes are kept for a day, hours for 90 days.',
    access: 'role:admin',
    query: HISTORY_QUERY,
    responses: { 200: json('The figures.', SystemHistory) },
    handler: async ({ query }, { store, sampler, clock }) => {
      await sampler.flush();
      const { members, series } = await readHistory(store.samples, 'system', {
        ...query,
        now: clock.now(),
      });
      return {
        ...members,
        points: (series[0]?.points ?? []).map(({ at, value }) => {
          const delay = value('event_loop_delay_ms');
          return {
            at,
            replicas: value('replicas'),
            requests: value('requests'),
            slots_used: value('slots_used'),
            slots_total: value('slots_total'),
            slots_waiting: value('slots_waiting'),
            rss_bytes: value('rss_bytes'),
            memory_bytes: value('memory_bytes'),
            memory_limit_bytes: value('memory_limit_bytes'),
            storage_bytes: value('storage_bytes'),
            storage_limit_bytes: value('storage_limit_bytes'),
            disk_free_bytes: value('disk_free_bytes'),
            disk_share: value('disk_share'),
            machine_memory_share: value('machine_memory_share'),
            jobs_queued: value('jobs_queued'),
            event_loop_delay_ms: delay === null ? null : roundToTenth(delay),
          };
        }),
      };
    },
  }),
];
