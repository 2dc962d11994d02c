import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/** Above all ports that browsers refuse, and below the ephemeral ports (from 32,768 on Linux), exclusive of the second. */
const [LOWEST, END] = [15_000, 32_000];
const TRIES = 50;

// Each is given once, because a service that several files share remembers what it has learned about a host and port.
let last = randomInt(LOWEST, END);

/**
 * Lets a server listen on a port that no server of this process has had. It is not one that the system would choose for port 0,
 * because the system may give such a port to the next outgoing connection of any program.
 * @param wanted the port that it must be; 0: the system chooses
 * @returns the port
 */
export async function listen(server: Server, host = '127.0.0.1', wanted?: number): Promise<number> {
  for (let left = TRIES; ; left--) {
    last = last + 1 < END ? last + 1 : LOWEST;
    const port = wanted ?? last;
    try {
      // Rejects on `error`, such as EADDRINUSE.
      await once(server.listen(port, host), 'listening');
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if (wanted !== undefined || left === 0) throw error;
    }
  }
}

/** A port that was free a moment ago, and that no server of this process has had. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer();
  const port = await listen(server, host);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
