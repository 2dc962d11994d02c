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
  '.woff2': 'font/woff2',
};

/** All built files, in memory: about three megabytes. Rejects when they are not there, or of an unknown type. */
async function readBuiltFiles(built: string): Promise<DashboardFiles> {
  const folder = join(built, 'assets');
  const texts = new Map<string, Buffer>();
  for (const name of await readdir(folder)) texts.set(name, await readFile(join(folder, name)));
  const assets = new Map<string, DashboardAsset>();
  for (const [name, bytes] of texts) {
    const extension = extname(name);
    if (extension === '.br' || extension === '.gz') continue;
    const type = MEDIA_TYPES[extension];
    if (type === undefined) throw new Error(`${name} is of a type that is not served`);
    assets.set(name, {
      bytes,
      br: texts.get(`${name}.br`) ?? null,
      gzip: texts.get(`${name}.gz`) ?? null,
      type,
      hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    });
  }
  return { index: await readFile(join(built, 'index.html'), 'utf8'), assets };
}

interface BuildProcess {
  /** null when it succeeded, else the last words of what failed. Never rejects. */
  readonly done: Promise<string | null>;
  /** Ends it, and settles when it has ended. */
  stop(): Promise<void>;
}

const OUTPUT_TAIL_LENGTH = 4_000;

/**
 * Builds in a process of its own, which makes itself the least important of the machine. It gets an empty
 * environment: what configures the service, secrets included, is none of its business.
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
  /** Looks whether the built files are those of the sources, and builds them if not. To be called once. */
  start(): void;
  /** Ends a build that is under way. */
  stop(): Promise<void>;
}

interface DashboardBuilderOptions {
  /** Of the repository, or of the package. */
  readonly root: string;
  readonly onBuilt: (milliseconds: number) => void;
  readonly onFailed: (why: string) => void;
}

/** The dashboard from the files in `dashboard/dist`. */
export function createDashboard({ root, onBuilt, onFailed }: DashboardBuilderOptions): DashboardBuilder {
  const places = dashboardPaths(root);
  let build: BuildProcess | null = null;
  let stopped = false;
  let known: DashboardState | null = null;
  let work: Promise<void> = Promise.resolve();

  /** Says why it could not be built; null when all is well. */
  async function bringUpToDate(): Promise<string | null> {
    const wanted = await hashSources(places);
    const stamp = await readFile(places.hashFile, 'utf8').catch(() => null);
    if (wanted === null) return stamp === null ? 'The files of the dashboard are not installed.' : null;
    if (wanted === stamp || stopped) return null;
    const begun = performance.now();
    build = startBuild(places.buildScript, root);
    const trouble = await build.done;
    build = null;
    if (trouble === null) onBuilt(Math.round(performance.now() - begun));
    return trouble;
  }

  async function settle(): Promise<void> {
    try {
      const trouble = await bringUpToDate();
      if (stopped) return;
      if (trouble === null) known = { kind: 'ready', files: await readBuiltFiles(places.outputDir) };
      else fail(trouble);
    } catch (error) {
      fail(`The files of the dashboard cannot be read: ${(error as Error).message}`);
    }
  }

  function fail(why: string): void {
    if (stopped) return;
    known = { kind: 'failed', why: why.replaceAll(root, '.') };
    onFailed(known.why);
  }

  return {
    state: () => known ?? { kind: 'building' },
    start() {
      work = settle();
    },
    async stop() {
      stopped = true;
      await build?.stop();
      await work;
    },
  };
}
