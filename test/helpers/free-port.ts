import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Above all ports that browsers refuse, and below the ephemeral ports (from 32,768 on Linux), exclusive of the second. */
const [LOWEST, END] = [15_000, 32_000];
const TRIES = 50;

/**
 * A TCP port that was free a moment ago. It is not one that the system would choose for port 0, because the system may
 * give such a port to the next outgoing connection of any program.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let left = TRIES; ; left--) {
    const port = randomInt(LOWEST, END);
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
