import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startChild } from './child.ts';
import { freePort } from './free-port.ts';

/** PgBouncer in transaction mode before a server, with few connections. */
export async function startPgBouncer(serverPort: number) {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-pgbouncer-'));
  // It refuses to run as root, so its user must be able to read the file.
  chmodSync(dir, 0o755);
  const port = await freePort();
  const file = join(dir, 'pgbouncer.ini');
  const settings = [
    'listen_addr=127.0.0.1',
    `listen_port=${port}`,
    'unix_socket_dir=',
    'auth_type=any',
    'pool_mode=transaction',
    'default_pool_size=3',
    'max_client_conn=200',
  ];
  const target = `* = host=127.0.0.1 port=${serverPort} user=sluice`;
  writeFileSync(file, ['[databases]', target, '[pgbouncer]', ...settings, ''].join('\n'));
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = startChild('/usr/sbin/pgbouncer', [...asUser, file]);
  while (!(await answers(port))) {
    if (!child.running()) throw new Error(`pgbouncer ended: ${child.stdout()}${child.stderr()}`);
    await pause(20);
  }
  return {
    /** @param url of a database of the server */
    urlOf: (url: string) => url.replace(`:${serverPort}/`, `:${port}/`),
    async close() {
      child.kill('SIGKILL');
      await child.exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
