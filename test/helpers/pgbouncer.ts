import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { accepts, started } from './started.ts';

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
  await started('PgBouncer', child, () => accepts(port));
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
