import type { MemoryBudget } from './base/memory-budget.ts';
import type { Clock } from './base/time.ts';
import { VERSION } from './base/version.ts';
import { diskSpace, machineMemorySpace } from './config/machine.ts';
import { MAX_SAMPLED, type SampleMetric, type SampleValues } from './domain/samples.ts';
import { vendorName } from './domain/scrapers.ts';
import { type SystemFacts, usedShare } from './domain/system.ts';
import { processFactsReader } from './observe/process-facts.ts';
import type { SampleCounters } from './observe/sample-counters.ts';
import type { ProxyPools } from './ports/proxies.ts';
import type { BrowserMonitor } from './ports/scraper.ts';
import type { StorageHealth, Store } from './ports/store.ts';
import type { VendorDirectory } from './ports/vendors.ts';
import { type Sampler, startSampler } from './upkeep/sampler.ts';

export interface SamplingDeps {
  readonly store: Pick<Store, 'samples' | 'jobs'>;
  readonly sampleCounters: SampleCounters;
  readonly proxyPools: ProxyPools;
  readonly vendorDirectory: VendorDirectory;
  readonly memory: MemoryBudget;
  readonly health: Pick<StorageHealth, 'problem' | 'contentsProblem'>;
  readonly browsers: BrowserMonitor;
  /** Size of what is stored, and its limit; null: not known here. */
  readonly usedBytes: () => number;
  readonly limitBytes: number | null;
  /** Running requests of this process. */
  readonly requests: () => number;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

type Values<Kind extends 'system' | 'pool' | 'vendor'> = { [Metric in SampleMetric<Kind>]?: number };

/** What administrators see of the service: as it is now, and over time. */
export interface ServiceFigures {
  readonly system: () => Promise<SystemFacts>;
  readonly sampler: Sampler;
}

/** Measures the service, its pools and vendors. */
export function startSampling(deps: SamplingDeps): ServiceFigures {
  const { store, sampleCounters: counters, proxyPools, vendorDirectory, clock, onError } = deps;
  // Each has delays of its own: those since its last call.
  const [readForSamples, readForCallers] = [processFactsReader(), processFactsReader()];
  const measure = async () => ({
    system: await measureSystem(deps, readForSamples()),
    pool: new Map(
      proxyPools
        .state()
        .pools.slice(0, MAX_SAMPLED)
        .map(({ name, exits }): [string, SampleValues] => [
          name,
          {
            healthy: exits.filter(({ health }) => health === 'healthy').length,
            proxies: exits.length,
          } satisfies Values<'pool'>,
        ]),
    ),
    vendor: new Map(
      vendorDirectory
        .list()
        .map((vendor): [string, SampleValues] => [
          vendorName(vendor.scraper),
          { left_alone: vendor.resting() === null ? 0 : 1 } satisfies Values<'vendor'>,
        ]),
    ),
  });
  return {
    system: async () => ({
      ...systemFacts(deps),
      process: readForCallers(),
      machine: await machineFacts(deps),
    }),
    sampler: startSampler({ samples: store.samples, counters, measure, clock, onError }),
  };
}

const systemFacts = ({ memory, health, usedBytes, limitBytes, browsers }: SamplingDeps) => ({
  version: VERSION,
  memory: { limit: memory.capacity, inUse: memory.inUse, waiting: memory.waiting },
  storage: { trouble: health.problem() ?? health.contentsProblem(), usedBytes: usedBytes(), limitBytes },
  browsers: { ...browsers.activity(), ...browsers.state() },
});

const machineFacts = async ({ dataDir }: SamplingDeps) => ({
  memory: machineMemorySpace(),
  disk: await diskSpace(dataDir),
});

async function measureSystem(
  deps: SamplingDeps,
  { rss, loopDelay }: ReturnType<ReturnType<typeof processFactsReader>>,
): Promise<SampleValues> {
  const { store, requests } = deps;
  const { memory, storage, browsers } = systemFacts(deps);
  const [runnable, machine] = await Promise.all([store.jobs.runnable(), machineFacts(deps)]);
  return {
    replicas: 1,
    requests: requests(),
    slots_used: browsers.slots.busy,
    slots_total: browsers.slots.total,
    slots_waiting: browsers.slots.waiting,
    rss_bytes: rss,
    memory_bytes: memory.inUse,
    memory_limit_bytes: memory.limit,
    storage_bytes: storage.usedBytes,
    ...(storage.limitBytes !== null && { storage_limit_bytes: storage.limitBytes }),
    disk_free_bytes: machine.disk.free,
    disk_share: usedShare(machine.disk),
    machine_memory_share: usedShare(machine.memory),
    jobs_queued: runnable.reduce((sum, { queued }) => sum + queued, 0),
    ...(loopDelay !== null && { event_loop_delay_ms: loopDelay.p99 }),
  } satisfies Values<'system'>;
}
