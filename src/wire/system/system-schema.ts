import { Type } from 'typebox';
import { BROWSER_TYPES } from '../../domain/browsers-here.ts';
import { closed, orNull } from '../schema/build.ts';

const Count = Type.Integer({ minimum: 0 });
const Bytes = Type.Integer({ minimum: 0, description: 'Bytes.' });
const Ms = Type.Number({ minimum: 0 });

export const SystemBrowser = closed(
  {
    pid: Type.Integer(),
    version: orNull(Type.String()),
    age_s: Type.Number({ minimum: 0 }),
    pages_open: Count,
    pages_served: Count,
    memory_bytes: orNull(Bytes, {
      description: 'Of its first process, without what it shares; null where that cannot be told.',
    }),
    retired: Type.Boolean({ description: 'Takes nobody new: it ends with its last page.' }),
  },
  { title: 'SystemBrowser' },
);

export const SystemBrowserKind = closed(
  {
    browser_type: Type.Enum([...BROWSER_TYPES]),
    headless: Type.Boolean(),
    lane: Type.Enum(['full', 'fast'], {
      description: '`fast`: plain pages, by few messages; `full`: everything.',
    }),
    apart: Type.Boolean({
      description: 'For pages that disturbed others lately: it gives way to all other browsers.',
    }),
    starting: Type.Boolean(),
    trouble: orNull(Type.String(), { description: 'Why none runs though one was needed; null: it runs.' }),
    launches: Count,
    crashes: Type.Integer({ minimum: 0, description: 'Browsers that ended by themselves.' }),
    recycles: Type.Integer({
      minimum: 0,
      description: 'Browsers that gave way to a fresh one: pages, age, memory.',
    }),
    replaced: Type.Integer({
      minimum: 0,
      description: 'Browsers that were left because they hung, or might be damaged.',
    }),
    browsers: Type.Array(SystemBrowser),
  },
  { title: 'SystemBrowserKind', description: 'One kind of browser that was needed since the start.' },
);

export const System = closed(
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
        description: 'Since this was last asked for, by whomever; null at the first time.',
      }),
    }),
    memory: closed(
      {
        limit_bytes: Bytes,
        in_use_bytes: Bytes,
        waiting: Type.Integer({ minimum: 0, description: 'Scrapes that wait for memory.' }),
      },
      { description: 'The budget for contents (`SLUICE_MEMORY_BYTES`).' },
    ),
    storage: closed({
      ok: Type.Boolean(),
      trouble: orNull(Type.String(), { description: 'Why records cannot be stored; null: they can.' }),
      used_bytes: Bytes,
      limit_bytes: Bytes,
    }),
    permits: closed({
      in_flight: Type.Integer({
        minimum: 0,
        description: 'Requests that count against a limit, of all users.',
      }),
      default_limit: Type.Integer({ minimum: 1, description: 'Of users without a number of their own.' }),
    }),
    browsers: closed({
      state: Type.Enum(['ready', 'unknown', 'unavailable', 'down'], {
        description:
          'As in `/readyz`: `unknown` until somebody needed one, `down` when one should start, and does not.',
      }),
      sandbox: Type.Enum(['on', 'off']),
      slots: closed({
        total: Count,
        used: Count,
        waiting: Type.Integer({ minimum: 0, description: 'Scrapes that wait for a slot.' }),
      }),
      pages_served: Count,
      refused: Type.Integer({ minimum: 0, description: 'Scrapes refused because too many waited.' }),
      kinds: Type.Array(SystemBrowserKind),
    }),
  },
  { title: 'System', description: 'How the service is doing at this moment.' },
);
