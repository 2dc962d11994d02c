import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { openPostgresStore } from '../../src/adapters/store/postgres/open-postgres-store.ts';
import { type Child, startChild } from './child.ts';
import { freePort } from './free-port.ts';
import { ROOT } from './repository.ts';
import { started } from './started.ts';
import { shared } from './world.ts';

/** Folder of PostgreSQL's programs; null: it is not installed. */
function findBin(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(root, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  return found ?? null;
}

const bin = findBin();

/** The path of a program of PostgreSQL, such as `psql`. */
export const postgresProgram = (name: string): string => join(bin!, name);

/** For the option `skip` of a test that needs PostgreSQL. */
export const noPostgres =
  bin === null ? 'PostgreSQL is missing: apt-get install postgresql' : (false as const);

export interface PostgresServer {
  readonly port: number;
  /** Id of its process, which differs after `start`. */
  pid(): number;
  /** @param from the database that it is a copy of; default: it is empty @returns its URL */
  createDatabase(from?: string): Promise<string>;
  /** @param how `fast` ends connections and writes a checkpoint; `immediate` is as a crash */
  stop(how: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
  /** Stops it and deletes its data. */
  close(): Promise<void>;
}

/** PostgreSQL refuses to run as root, so root starts it as the user that its package made. */
function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

/** What initdb has made once, by its version; copied, because initdb takes a second of processor time. */
const CLUSTERS = join(ROOT, 'node_modules/.cache/postgres-clusters');

/** Makes an empty cluster of databases, as initdb does. */
function makeCluster(data: string, user: ReturnType<typeof serverUser>): void {
  const run = (command: string, args: readonly string[], options = {}) => {
    const { status, stderr } = spawnSync(command, args, { ...options, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  };
  const version = spawnSync(join(bin!, 'initdb'), ['--version'], { encoding: 'utf8' }).stdout.trim();
  const kept = join(CLUSTERS, `${version.replace(/[^\w.]+/g, '-')}-${user.uid ?? 'own'}`);
  if (existsSync(kept)) {
    run('cp', ['-a', kept, data]);
    return;
  }
  const args = ['-D', data, '-U', 'sluice', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  run(join(bin!, 'initdb'), args, { ...user, cwd: dirname(data) });
  // Copied beside, and renamed when it is complete: other processes do the same meanwhile.
  mkdirSync(CLUSTERS, { recursive: true });
  const fresh = mkdtempSync(join(CLUSTERS, 'new-'));
  run('cp', ['-a', data, join(fresh, 'data')]);
  try {
    renameSync(join(fresh, 'data'), kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * A server of its own, with settings that make it fast: what is acknowledged survives its crash, but not loss of power.
 * @param env additional variables
 */
export async function startPostgres(
  settings: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<PostgresServer> {
  const user = serverUser();
  const dir = mkdtempSync(join(tmpdir(), 'sluice-postgres-'));
  if (user.uid !== undefined) chownSync(dir, user.uid, user.gid!);
  const data = join(dir, 'data');
  makeCluster(data, user);
  // By default it listens on an address of this machine only.
  appendFileSync(join(data, 'pg_hba.conf'), 'host all all all trust\n');
  const port = await freePort();
  const options = [
    'fsync=off',
    'max_connections=200',
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${dir}`,
  ];
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    ...[...options, ...settings].flatMap((option) => ['-c', option]),
  ];
  const log = join(dir, 'log');
  let child: Child | null = null;
  let lastDatabase = 0;

  async function start(): Promise<void> {
    // A file, because a test that blocks would not read a pipe.
    const output = openSync(log, 'a');
    const stdio = ['ignore' as const, output, output];
    child = startChild(join(bin!, 'postgres'), args, {
      ...user,
      cwd: dir,
      stdio,
      env: { ...process.env, ...env },
    });
    closeSync(output);
    await started(
      'PostgreSQL',
      child,
      () => connects(port),
      () => readFileSync(log, 'utf8'),
    );
  }

  async function stop(how: 'fast' | 'immediate'): Promise<void> {
    const running = child;
    child = null;
    running?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await running?.exited;
  }

  await start();
  return {
    port,
    pid: () => child!.pid!,
    async createDatabase(from = 'template1') {
      const name = `test_${++lastDatabase}`;
      const client = new pg.Client(`postgres://sluice@127.0.0.1:${port}/postgres`);
      await client.connect();
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${from}`);
      await client.end();
      return `postgres://sluice@127.0.0.1:${port}/${name}`;
    },
    start,
    stop,
    async close() {
      await stop('immediate');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function connects(port: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: `postgres://sluice@127.0.0.1:${port}/postgres`,
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

let withTables: Promise<string> | null = null;
const sharedServer = shared(
  () => startPostgres(),
  (server) => server.close(),
);

/** An empty database on a server that all tests of this process share. @returns its URL */
export async function emptyDatabase(): Promise<string> {
  return (await sharedServer()).createDatabase();
}

/** The same with the tables of Sluice, which is copied, because creating them takes half a second. @returns its URL */
export async function testDatabase(): Promise<string> {
  withTables ??= emptyDatabase().then(async (url) => {
    const store = await openPostgresStore({ url, directUrl: null, readUrl: null });
    await store.close();
    return new URL(url).pathname.slice(1);
  });
  return (await sharedServer()).createDatabase(await withTables);
}
