import type { SystemFacts } from '../../domain/system.ts';
import { timeText } from '../record/time-text.ts';

/** The answer of `GET /api/v1/system/`. @param now ms since the epoch */
export function systemObject(
  { version, process, memory, storage, browsers }: SystemFacts,
  now: number,
  permits: { readonly inFlight: number; readonly defaultLimit: number },
) {
  const { loopDelay } = process;
  return {
    version,
    node: process.node,
    at: timeText(now),
    uptime_s: rounded(process.uptimeMs / 1000),
    process: {
      pid: process.pid,
      rss_bytes: process.rss,
      heap_used_bytes: process.heapUsed,
      heap_total_bytes: process.heapTotal,
      external_bytes: process.external,
      event_loop_delay_ms:
        loopDelay === null
          ? null
          : { p50: rounded(loopDelay.p50), p99: rounded(loopDelay.p99), max: rounded(loopDelay.max) },
    },
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
      pages_served: browsers.leases,
      refused: browsers.refused,
      kinds: browsers.kinds.map((kind) => ({
        browser_type: kind.type,
        headless: kind.headless,
        lane: kind.lane,
        apart: kind.apart,
        starting: kind.starting,
        trouble: kind.trouble,
        launches: kind.launches,
        crashes: kind.crashes,
        recycles: kind.recycles,
        replaced: kind.replaced,
        browsers: kind.browsers.map((one) => ({
          pid: one.pid,
          version: one.version,
          age_s: rounded(one.ageMs / 1000),
          pages_open: one.pages,
          pages_served: one.served,
          memory_bytes: one.memory === 0 ? null : one.memory,
          retired: one.retired,
        })),
      })),
    },
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;
