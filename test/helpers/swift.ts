import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '../../src/adapters/blobs/s3-client.ts';
import { type Child, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { accepts, started } from './started.ts';

/** For the option `skip` of a test that needs OpenStack Swift. */
export const noSwift = existsSync('/usr/bin/swift-proxy-server')
  ? (false as const)
  : 'Swift is missing: apt-get install swift-proxy swift-account swift-container swift-object';

/** The keys of one page of a list. By default 1,000, which take Swift half a minute to store. */
export const PAGE_KEYS = 100;
export const SWIFT_CREDENTIALS = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };

const KINDS = ['account', 'container', 'object'] as const;

/** OpenStack Swift with its S3 API, on one disk: an S3 server with other roots than the one of the quick tests. */
export async function startSwift(bucket: string) {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-swift-'));
  mkdirSync(join(dir, 'devices', 'd1'), { recursive: true });
  const log = await receiveLog();
  const children: Child[] = [];
  const close = async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(({ exited }) => exited));
    log.close();
    rmSync(dir, { recursive: true, force: true });
  };
  const start = async (kind: string, port: number, text: string) => {
    const file = join(dir, `${kind}.conf`);
    writeFileSync(file, common(dir, port, log.port) + text);
    const child = startChild(`/usr/bin/swift-${kind}-server`, [file], { cwd: dir });
    children.push(child);
    const said = () => `${child.stdout()}${child.stderr()}${log.text()}`;
    await started(`swift-${kind}-server`, child, () => accepts(port), said);
    return said;
  };
  try {
    const ports = await Promise.all(KINDS.map(() => freePort()));
    makeRings(dir, ports);
    await Promise.all(KINDS.map((kind, index) => start(kind, ports[index]!, SERVERS[kind])));
    const port = await freePort();
    // Last, because it counts the errors of the others, and gives them up for a minute.
    const proxy = await start('proxy', port, PROXY);
    const endpoint = `http://127.0.0.1:${port}`;
    const options = { endpoint, bucket, region: 'us-east-1', pathStyle: true, ...SWIFT_CREDENTIALS };
    const client = new S3Client(options);
    await client.send({ method: 'PUT', name: '' }).catch((cause: unknown) => {
      throw new Error(`Swift makes no bucket: ${proxy()}`, { cause });
    });
    return { endpoint, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Stands in for syslog, to which Swift logs: this machine may have none. */
async function receiveLog() {
  let text = '';
  const socket = createSocket('udp4', (line) => {
    text = `${text}${line}\n`.slice(-10_000);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.unref();
  return { port: socket.address().port, text: () => text, close: () => socket.close() };
}

/** Times are long, because a busy machine answers late: by default an object is told of, but not listed, after one second. */
const common = (dir: string, port: number, logPort: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${dir}
devices = ${join(dir, 'devices')}
mount_check = false
fallocate_reserve = 0
log_level = WARNING
log_udp_host = 127.0.0.1
log_udp_port = ${logPort}
conn_timeout = 20
node_timeout = 60
container_update_timeout = 60
`;

const server = (kind: string) => `[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;
const SERVERS = { account: server('account'), container: server('container'), object: server('object') };

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
max_bucket_listing = ${PAGE_KEYS}
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
