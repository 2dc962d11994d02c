import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A target that holds each request for a while, and counts how many it has at once. */
export interface CountingTarget extends AsyncDisposable {
  readonly url: string;
  /** Most requests that were in flight together for more than a moment. */
  peak(): number;
  now(): number;
  served(): number;
}

/** A connection that was just closed may be read after a new one that took its place: not counted for so long. */
const MOMENT_MS = 4;

/** @param holdMs how long the nth request is held */
export async function startCountingTarget(holdMs: (n: number) => number): Promise<CountingTarget> {
  const running = new Set<ServerResponse>();
  let peak = 0;
  let served = 0;
  let stopped = false;
  /** Smallest number in flight since the number was last looked at. */
  let floor = 0;
  const look = () => {
    // After the poll phase: every close that the kernel knew of has been seen.
    setImmediate(() => {
      peak = Math.max(peak, Math.min(floor, running.size));
      floor = running.size;
      if (!stopped) timer = setTimeout(look, MOMENT_MS);
    });
  };
  let timer = setTimeout(look, MOMENT_MS);
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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
