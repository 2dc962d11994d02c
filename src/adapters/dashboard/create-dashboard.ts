import { readFile } from 'node:fs/promises';
import type { Dashboard, DashboardState } from '../../ports/dashboard.ts';
import { placesIn } from './places.ts';
import { readBuilt } from './read-built.ts';
import { type Build, runBuild } from './run-build.ts';
import { sourceHash } from './source-hash.ts';

export interface DashboardBuilder extends Dashboard {
  /** Looks whether the built files are those of the sources, and builds them if not. To be called once. */
  start(): void;
  /** Ends a build that is under way. */
  stop(): Promise<void>;
}

export interface DashboardParts {
  /** Of the repository, or of the package. */
  readonly root: string;
  readonly onBuilt: (milliseconds: number) => void;
  readonly onFailed: (why: string) => void;
}

/** The dashboard from the files in `dashboard/dist`. */
export function createDashboard({ root, onBuilt, onFailed }: DashboardParts): DashboardBuilder {
  const places = placesIn(root);
  let build: Build | null = null;
  let stopped = false;
  let known: DashboardState | null = null;
  let work: Promise<void> = Promise.resolve();

  /** Says why it could not be built; null when all is well. */
  async function bringUpToDate(): Promise<string | null> {
    const wanted = await sourceHash(places);
    const stamp = await readFile(places.stamp, 'utf8').catch(() => null);
    if (wanted === null) return stamp === null ? 'The files of the dashboard are not installed.' : null;
    if (wanted === stamp || stopped) return null;
    const begun = performance.now();
    build = runBuild(places.script, root);
    const trouble = await build.done;
    build = null;
    if (trouble === null) onBuilt(Math.round(performance.now() - begun));
    return trouble;
  }

  async function settle(): Promise<void> {
    try {
      const trouble = await bringUpToDate();
      if (stopped) return;
      if (trouble === null) known = { kind: 'ready', files: await readBuilt(places.built) };
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
