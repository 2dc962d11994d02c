import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '../../src/adapters/blobs/s3-client.ts';
import { freePort } from './free-port.ts';

/** For the option `skip` of a test that needs OpenStack Swift. */
export const noSwift = existsSync('/usr/bin/swift-proxy-server')
  ? (false as const)
  : 'Swift is missing: apt-get install swift-proxy swift-account swift-container swift-object';

export const SWIFT_CREDENTIALS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };

const KINDS = ['account', 'container', 'object'] as const;

/** OpenStack Swift with its S3 API, on one disk: an S3 server with other roots than the one of the quick tests. */
export async function startSwift(bucket: string) {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-swift-'));
  mkdirSync(join(dir, 'devices', 'd1'), { recursive: true });
  const log = openSync(join(dir, 'log'), 'w');
  const children: ChildProcess[] = [];
  const start = (kind: string, text: string) => {
    const file = join(dir, `${kind}.conf`);
    writeFileSync(file, text);
    children.push(spawn(`/usr/bin/swift-${kind}-server`, [file], { cwd: dir, stdio: ['ignore', log, log] }));
  };
  const close = async () => {
    await Promise.all(children.map(end));
    rmSync(dir, { recursive: true, force: true });
  };
  const user = spawnSync('id', ['-un'], { encoding: 'utf8' }).stdout.trim();
  const common = (port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${user}
swift_dir = ${dir}
devices = ${join(dir, 'devices')}
mount_check = false
log_address = ${join(dir, 'no-syslog')}
`;
  const ports = await Promise.all(KINDS.map(() => freePort()));
  makeRings(dir, ports);
  for (const [i, kind] of KINDS.entries())
    start(
      kind,
      `${common(ports[i]!)}[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
    );
  const port = await freePort();
  start('proxy', common(port) + PROXY);
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint,
    bucket,
    region: 'us-east-1',
    pathStyle: true,
    requestMs: 1_000,
    ...SWIFT_CREDENTIALS,
  });
  for (let tries = 1; ; tries++) {
    try {
      await client.send({ method: 'PUT', name: '' });
      return { endpoint, close };
    } catch (error) {
      if (tries < 60 && children.every(({ exitCode }) => exitCode === null)) continue;
      const said = readFileSync(join(dir, 'log'), 'utf8').slice(-3_000);
      await close();
      throw new Error(`Swift does not start: ${said}`, { cause: error });
    }
  }
}

const PROXY = `[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
`;

/** Of one replica on one device each. The tool of Swift takes half a second for each of nine steps. */
const RINGS = `import sys
from swift.common.ring import RingBuilder
dir, *ports = sys.argv[1:]
for kind, port in zip(("account", "container", "object"), ports):
    ring = RingBuilder(2, 1, 1)
    ring.add_dev(dict(region=1, zone=1, weight=1, ip="127.0.0.1", port=int(port), device="d1"))
    ring.rebalance()
    ring.get_ring().save(f"{dir}/{kind}.ring.gz")
`;

function makeRings(dir: string, ports: readonly number[]): void {
  const made = spawnSync('/usr/bin/python3', ['-c', RINGS, dir, ...ports.map(String)], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`rings: ${made.stderr}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
