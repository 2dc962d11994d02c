import { createServer, type ServerResponse } from 'node:http';
import { listen } from './free-port.ts';

/** A target that delays each response, and counts the requests in flight. */
export interface CountingTarget extends AsyncDisposable {
  readonly url: string;
  /** The most requests that were in flight together for at least `SAMPLE_MS`. */
  peak(): number;
  /** Requests in flight. */
  now(): number;
  /** Requests so far. */
  served(): number;
}

/** Shorter peaks are not counted, because Node may report a closed connection after the one that replaced it. */
const SAMPLE_MS = 4;

/** @param holdMs delay of the nth response in milliseconds */
export async function startCountingTarget(holdMs: (n: number) => number): Promise<CountingTarget> {
  const running = new Set<ServerResponse>();
  let peak = 0;
  let served = 0;
  let stopped = false;
  /** The smallest number in flight since the last sample. */
  let floor = 0;
  const sample = () => {
    // After the poll phase of the event loop, so that all closed connections have been reported.
    setImmediate(() => {
      peak = Math.max(peak, Math.min(floor, running.size));
      floor = running.size;
      if (!stopped) timer = setTimeout(sample, SAMPLE_MS);
    });
  };
  let timer = setTimeout(sample, SAMPLE_MS);
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume();
    running.add(response);
    served++;
    const hold = setTimeout(() => response.end('held\n'), holdMs(served));
    response.once('close', () => {
      clearTimeout(hold);
      running.delete(response);
      floor = Math.min(floor, running.size);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    peak: () => peak,
    now: () => running.size,
    served: () => served,
    async [Symbol.asyncDispose]() {
      stopped = true;
      clearTimeout(timer);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
