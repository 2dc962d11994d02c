import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { type Child, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { started } from './started.ts';
import { atEndOfFile } from './world.ts';

/** For the option `skip` of a test that needs Redis. */
export const noRedis =
  spawnSync('redis-server', ['--version']).status === 0
    ? (false as const)
    : 'Redis is missing: apt-get install redis-server';

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Kills it, with all that it holds. */
  stop(): Promise<void>;
  start(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** The beginning of the answer, as the protocol has it; empty: there is no connection. */
  command(line: string): Promise<string>;
}

/** A server of its own, in memory only, until the tests of this file have ended. */
export async function startRedis(
  options: readonly string[] = [],
  configFile: readonly [path: string] | readonly [] = [],
): Promise<RedisServer> {
  const port = await freePort();
  let child: Child | null = null;
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    port,
    async start() {
      const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', '/tmp'];
      // A replica stores what it gets from its master, in a file that no other server may read.
      const files = ['--dbfilename', `sluice-${port}.rdb`, '--rdb-del-sync-files', 'yes'];
      const args = [...configFile, ...own, ...files, ...options];
      child = startChild('redis-server', args);
      await started('Redis', child, async () => (await ask(port, 'PING')) === '+PONG\r\n');
    },
    async stop() {
      const ending = child;
      child = null;
      ending?.kill('SIGKILL');
      await ending?.exited;
    },
    signal(name) {
      child?.kill(name);
    },
    async command(line) {
      return (await ask(port, line)) ?? '';
    },
  };
  atEndOfFile(server.stop);
  await server.start();
  return server;
}

/** The answer to a command; null: there is no connection. */
function ask(port: number, line: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${line}\r\n`));
    socket.on('data', (bytes) => {
      socket.destroy();
      resolve(bytes.toString());
    });
    socket.on('error', () => resolve(null));
    socket.on('close', () => resolve(null));
  });
}
