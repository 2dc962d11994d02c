import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ProcessFacts } from '../domain/system.ts';

/** Interval at which the event loop is sampled. Shorter delays are not noticed. */
const RESOLUTION_MS = 20;
const NANOSECONDS_PER_MS = 1e6;

/** @returns a function that reads the facts of this process; its `loopDelay` covers the time since the previous call */
export function processFactsReader(): () => ProcessFacts {
  let histogram: ReturnType<typeof monitorEventLoopDelay> | null = null;
  const loopDelay = (): ProcessFacts['loopDelay'] => {
    if (histogram === null) {
      histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      histogram.enable();
      return null;
    }
    if (histogram.count === 0) return { p50: 0, p99: 0, max: 0 };
    // The histogram contains the time between two samples: the interval plus the delay.
    const delayMs = (nanoseconds: number) => Math.max(0, nanoseconds / NANOSECONDS_PER_MS - RESOLUTION_MS);
    const { max } = histogram;
    const loopDelay = {
      p50: delayMs(histogram.percentile(50)),
      p99: delayMs(histogram.percentile(99)),
      max: delayMs(max),
    };
    histogram.reset();
    return loopDelay;
  };
  return () => {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    return {
      node: process.version,
      pid: process.pid,
      uptimeMs: process.uptime() * 1000,
      rss,
      heapUsed,
      heapTotal,
      external,
      loopDelay: loopDelay(),
    };
  };
}
