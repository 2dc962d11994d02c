import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { after } from 'node:test';
import { freePort } from './free-port.ts';

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
  /** Resolves when the server has answered. */
  command(line: string): Promise<void>;
}

const running = new Set<RedisServer>();
after(async () => {
  for (const server of running) await server.stop();
});

/** A server of its own, in memory only, until the tests of this file have ended. */
export async function startRedis(options: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort();
  let child: ChildProcess | null = null;
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    port,
    async start() {
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', '/tmp', ...options];
      child = spawn('redis-server', args, { stdio: 'ignore' });
      for (let tries = 0; (await ask(port, 'PING')) !== '+PONG\r\n'; tries++) {
        if (tries > 200 || child.exitCode !== null) throw new Error('Redis does not start');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async stop() {
      const ending = child;
      child = null;
      if (ending === null || ending.exitCode !== null) return;
      const ended = new Promise((resolve) => ending.once('exit', resolve));
      ending.kill('SIGKILL');
      await ended;
    },
    signal(name) {
      child?.kill(name);
    },
    async command(line) {
      await ask(port, line);
    },
  };
  running.add(server);
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
  });
}
