import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../../test/helpers/repository.ts';

/** A commit with its packages, in a folder that later runs use again. */
export interface OtherCommit {
  /** The first letters of its hash. */
  readonly name: string;
  readonly folder: string;
  /** Path of its `bin/sluice`. */
  readonly program: string;
}

/**
 * Throws if the name is no commit.
 * @param commit anything that Git takes for one
 * @param flags of `scripts/setup.mjs`: with `--dev`, what tests need is there, too
 */
export function checkOut(commit: string, flags: readonly string[] = []): OtherCommit {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  const found = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], { cwd: ROOT });
  if (found.status !== 0) throw new Error(`There is no commit "${commit}".`);
  const hash = String(found.stdout).trim();
  const name = hash.slice(0, 10);
  // Not in node_modules, where Node strips no types.
  const folder = join(tmpdir(), 'sluice-bench', name);
  if (!existsSync(folder)) {
    mkdirSync(dirname(folder), { recursive: true });
    git('clone', '--quiet', '--no-checkout', '--shared', ROOT, folder);
  }
  git('-C', folder, 'checkout', '--quiet', '--detach', hash);
  execFileSync('node', ['scripts/setup.mjs', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return { name, folder, program: join(folder, 'bin/sluice') };
}
