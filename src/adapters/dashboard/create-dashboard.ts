import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { Dashboard, DashboardAsset, DashboardFiles, DashboardState } from '../../ports/dashboard.ts';
import { dashboardPaths, hashSources } from './dashboard-paths.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads all built files into memory (about three megabytes). Rejects if one is missing or of an unknown type. */
async function readBuiltFiles(outputDir: string): Promise<DashboardFiles> {
  const folder = join(outputDir, 'assets');
  const contents = new Map<string, Buffer>();
  for (const name of await readdir(folder)) contents.set(name, await readFile(join(folder, name)));
  const assets = new Map<string, DashboardAsset>();
  for (const [name, bytes] of contents) {
    const extension = extname(name);
    if (extension === '.br' || extension === '.gz') continue;
    const type = MEDIA_TYPES[extension];
    if (type === undefined) throw new Error(`${name} has a type that is not served`);
    assets.set(name, {
      bytes,
      br: contents.get(`${name}.br`) ?? null,
      gzip: contents.get(`${name}.gz`) ?? null,
      type,
      hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    });
  }
  return { index: await readFile(join(outputDir, 'index.html'), 'utf8'), assets };
}

interface BuildProcess {
  /** Resolves to null if the build succeeded, else to an error message with the end of the output. Never rejects. */
  readonly done: Promise<string | null>;
  /** Kills the process, and settles when it has ended. */
  stop(): Promise<void>;
}

/** Characters of the output of a failed build that are reported. The errors are at its end. */
const OUTPUT_TAIL_LENGTH = 4_000;

/**
 * Builds in a separate process, which lowers its own priority. Its environment is empty, so that it does not get the
 * configuration of the service with its secrets.
 */
function startBuild(script: string, root: string): BuildProcess {
  const child = spawn(process.execPath, [script], {
    cwd: root,
    env: { NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder('utf8');
    stream.on('data', (chunk: Buffer) => {
      output = (output + decoder.write(chunk)).slice(-OUTPUT_TAIL_LENGTH);
    });
  }
  const { promise: done, resolve } = Promise.withResolvers<string | null>();
  child.once('error', (error) => resolve(`The build could not be started: ${error.message}`));
  child.once('close', (code, signal) => {
    if (code === 0) resolve(null);
    else resolve(`The build ended with ${signal ?? `exit code ${code}`}:\n${output.trim()}`);
  });
  return {
    done,
    async stop() {
      child.kill('SIGKILL');
      await done;
    },
  };
}

interface DashboardBuilder extends Dashboard {
  /** Builds the files if they are older than the sources. Must be called once. */
  start(): void;
  /** Ends a running build. */
  stop(): Promise<void>;
}

interface DashboardBuilderOptions {
  /** Root of the repository or of the installed package. */
  readonly root: string;
  readonly onBuilt: (milliseconds: number) => void;
  readonly onFailed: (why: string) => void;
}

/** Serves the dashboard from the files in `dashboard/dist`. */
export function createDashboard({ root, onBuilt, onFailed }: DashboardBuilderOptions): DashboardBuilder {
  const paths = dashboardPaths(root);
  let build: BuildProcess | null = null;
  let stopped = false;
  let state: DashboardState = { kind: 'building' };
  let work: Promise<void> = Promise.resolve();

  /** @returns why the files could not be built; null: they are up to date */
  async function buildIfOutdated(): Promise<string | null> {
    const sourceHash = await hashSources(paths);
    const builtHash = await readFile(paths.hashFile, 'utf8').catch(() => null);
    if (sourceHash === null)
      return builtHash === null ? 'The files of the dashboard are not installed.' : null;
    if (sourceHash === builtHash || stopped) return null;
    const startedAt = performance.now();
    build = startBuild(paths.buildScript, root);
    const problem = await build.done;
    build = null;
    if (problem === null) onBuilt(Math.round(performance.now() - startedAt));
    return problem;
  }

  async function prepare(): Promise<void> {
    try {
      const problem = await buildIfOutdated();
      if (stopped) return;
      if (problem === null) state = { kind: 'ready', files: await readBuiltFiles(paths.outputDir) };
      else fail(problem);
    } catch (error) {
      fail(`The files of the dashboard cannot be read: ${(error as Error).message}`);
    }
  }

  function fail(why: string): void {
    if (stopped) return;
    state = { kind: 'failed', why: why.replaceAll(root, '.') };
    onFailed(state.why);
  }

  return {
    state: () => state,
    start() {
      work = prepare();
    },
    async stop() {
      stopped = true;
      await build?.stop();
      await work;
    },
  };
}
