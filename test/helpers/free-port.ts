import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections of their own accord, above those that browsers refuse. */
const [LOWEST, BEYOND] = [15_000, 32_000];
const TRIES = 50;

/**
 * A TCP port of this host that was free a moment ago, and which no connection is given meanwhile: a port that the system
 * chooses itself may be taken by the next connection that anybody opens.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let left = TRIES; ; left--) {
    const port = randomInt(LOWEST, BEYOND);
    try {
      await listenOnce(port, host);
      return port;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

async function listenOnce(port: number, host: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  await new Promise((resolve) => server.close(resolve));
}
