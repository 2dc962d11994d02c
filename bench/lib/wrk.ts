import { spawn } from 'node:child_process';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dirname, 'scrape.lua');

export interface Load {
  readonly url: string;
  readonly authorization: string;
  /** JSON text, sent with every request. */
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface Measured {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Responses other than 2xx, and broken or timed-out connections. */
  readonly errors: number;
}

/** Runs the load generator wrk. Rejects with an installation hint if it is missing. */
export async function wrk(load: Load): Promise<Measured> {
  const args = [
    '-t1',
    `-c${load.connections}`,
    `-d${load.seconds}s`,
    '--timeout',
    '30s',
    '-s',
    SCRIPT,
    load.url,
  ];
  const child = spawn('wrk', args, {
    env: { ...process.env, BENCH_BODY: load.body, BENCH_AUTHORIZATION: load.authorization },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const hint = 'wrk is not installed. Debian and Ubuntu: apt-get install wrk; macOS: brew install wrk.';
      reject(error.code === 'ENOENT' ? new Error(hint) : error);
    });
    child.once('close', () => resolve());
  });
  const line = /@@(\{.*\})/.exec(printed)?.[1];
  if (line === undefined) throw new Error(`wrk ended without a result:\n${printed}`);
  // Durations in microseconds.
  const raw = JSON.parse(line) as Record<
    'requests' | 'duration' | 'p50' | 'p99' | 'status' | 'broken' | 'timeout',
    number
  >;
  return {
    requests: raw.requests,
    perSecond: (raw.requests / raw.duration) * 1e6,
    p50: raw.p50 / 1000,
    p99: raw.p99 / 1000,
    errors: raw.status + raw.broken + raw.timeout,
  };
}
