import { constants } from 'node:fs';
import { access, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { dataPaths } from '../../config/data-dir.ts';
import { type Finding, fail, ok, warn } from './doctor-finding.ts';

/** As in `bin/sluice`. */
const MIN_NODE = 24;

export function checkNode(): Finding {
  const { node } = process.versions;
  return Number(node.split('.', 1)[0]) >= MIN_NODE
    ? ok('node', `${node} (${process.execPath})`)
    : fail('node', `${node} is too old`, `Run 'npm start' once, or install Node ${MIN_NODE}.`);
}

/** The folder itself, or the nearest above it that exists. */
async function existingFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  return found !== null || dirname(folder) === folder ? folder : existingFolder(dirname(folder));
}

export async function checkDataFolder(config: Config): Promise<Finding> {
  const { dataDir } = dataPaths(config);
  const existing = await existingFolder(dataDir);
  try {
    if (existing !== dataDir) {
      await access(existing, constants.W_OK | constants.X_OK);
      return ok('data folder', `${dataDir} does not exist yet, and can be created`);
    }
    const probe = join(dataDir, `.doctor-${process.pid}`);
    await writeFile(probe, '', { mode: 0o600 });
    await rm(probe);
  } catch (error) {
    return fail(
      'data folder',
      `${existing} cannot be written: ${(error as Error).message}`,
      'Set SLUICE_DATA_DIR to a folder that this user may write, or change its owner.',
    );
  }
  const { mode } = await stat(dataDir);
  return (mode & 0o077) === 0
    ? ok('data folder', `${dataDir} can be written`)
    : warn('data folder', `${dataDir} can be entered by other users`, `chmod 700 ${dataDir}`);
}

const GIB = 2 ** 30;
const MIN_FREE_BYTES = GIB / 4;
const LOW_FREE_BYTES = 2 * GIB;

export async function checkDisk(config: Config): Promise<Finding> {
  const folder = await existingFolder(dataPaths(config).dataDir);
  const { bavail, bsize, ffree, files } = await statfs(folder);
  const free = bavail * bsize;
  const text = `${(free / GIB).toFixed(1)} GiB free at ${folder}`;
  const advice = 'Free space, or lower SLUICE_STORAGE_BYTES or SLUICE_RETENTION_DAYS.';
  // Some file systems have no limit of files.
  if (files > 0 && ffree < 1_000) return fail('disk', `only ${ffree} more files fit at ${folder}`, advice);
  if (free < MIN_FREE_BYTES) return fail('disk', text, advice);
  return free < LOW_FREE_BYTES ? warn('disk', text, advice) : ok('disk', text);
}

/** No clock was right before this version was made. */
const EARLIEST = Date.UTC(2026, 0, 1);
const CLOCK_TOLERANCE_MS = 60_000;

export async function checkClock(config: Config): Promise<Finding> {
  const advice = 'Set the clock, and let NTP keep it (timedatectl set-ntp true).';
  const now = Date.now();
  const text = new Date(now).toISOString();
  if (now < EARLIEST) return fail('clock', `${text} is in the past`, advice);
  const newest = await stat(dataPaths(config).databaseFile).catch(() => null);
  if (newest !== null && newest.mtimeMs > now + CLOCK_TOLERANCE_MS)
    return fail(
      'clock',
      `${text} is before the latest change of the data, ${newest.mtime.toISOString()}`,
      advice,
    );
  return ok('clock', text);
}

const ASK_MS = 5_000;

/** Whether the service could listen, or listens already. */
export async function checkPort({ host, port }: Config): Promise<Finding> {
  const server = createServer();
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    server.once('error', resolve);
    server.listen(port, host, () => resolve(null));
  });
  if (error === null) {
    await new Promise((resolve) => server.close(resolve));
    return ok('port', `${host}:${port} is free`);
  }
  if (error.code !== 'EADDRINUSE')
    return fail(
      'port',
      error.message,
      'Set SLUICE_HOST and SLUICE_PORT to an address that this user may listen on.',
    );
  const asked = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const reply = await fetch(`http://${asked}:${port}/readyz`, { signal: AbortSignal.timeout(ASK_MS) })
    .then((response) => response.json() as Promise<{ readonly status?: unknown }>)
    .catch(() => null);
  if (reply?.status === 'ok') return ok('port', `a service runs at ${host}:${port}`);
  if (reply?.status === 'degraded')
    return warn(
      'port',
      `a service runs at ${host}:${port}, and is degraded`,
      `See http://${asked}:${port}/readyz.`,
    );
  return fail(
    'port',
    `another program listens on ${host}:${port}`,
    'Stop the program that uses it, or set SLUICE_PORT to another port.',
  );
}
