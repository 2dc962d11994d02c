import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ProcessFacts } from '../domain/system.ts';

/** A look at the loop each so many milliseconds: what is shorter is not seen, and costs nothing. */
const RESOLUTION_MS = 20;
const NANO = 1e6;

/** Tells of this process; the delays of the event loop are counted from the first call on. */
export function processFacts(): () => ProcessFacts {
  let delays: ReturnType<typeof monitorEventLoopDelay> | null = null;
  const loopDelay = (): ProcessFacts['loopDelay'] => {
    if (delays === null) {
      delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      delays.enable();
      return null;
    }
    if (delays.count === 0) return { p50: 0, p99: 0, max: 0 };
    // What is measured is the whole time between two looks.
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / NANO - RESOLUTION_MS);
    const { max } = delays;
    const told = { p50: late(delays.percentile(50)), p99: late(delays.percentile(99)), max: late(max) };
    delays.reset();
    return told;
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
