/**
 * Compares the processor time of the tests here with that of the tests of another commit, by turns in one run: on every eighth of the
 * other commit's files, in the order of their paths. A file counts in the tier where it is now; one that is gone costs nothing. Both
 * trees are measured whole, by cgroup v2, with browsers and services. Usage: tests <commit> [quick|full]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { openCpuGroup } from '../scripts/cpu-group.ts';
import { ROOT } from '../test/helpers/repository.ts';
import { checkOut } from './lib/other-commit.ts';
import { fixed, provenance, table, whole } from './lib/report.ts';

const EVERY = 8;
/** Files of one turn: enough that those of one process share what is costly to open. */
const FILES_OF_TURN = 40;
const TIERS = ['quick', 'full'] as const;
const tierOf = (file: string) => /^test\/(full|long)\//.exec(file)?.[1] ?? 'quick';
const withoutTier = (file: string) => file.replace(/^test\/(full|long)\//, 'test/');

export async function tests([commit, onlyTier]: readonly string[]): Promise<void> {
  if (commit === undefined) throw new Error('Name the other commit: npm run bench -- tests <commit>');
  const other = checkOut(commit, ['--dev']);
  const listed = execFileSync('git', ['ls-files', 'test/**/*.test.ts'], {
    cwd: other.folder,
    encoding: 'utf8',
  });
  const there = listed
    .trim()
    .split('\n')
    .sort()
    .filter((_, n) => n % EVERY === 0);
  const here = new Map(globSync('test/**/*.test.ts', { cwd: ROOT }).map((file) => [withoutTier(file), file]));
  const now = there.flatMap((file) => here.get(withoutTier(file)) ?? []);
  const rows: string[][] = [];
  for (const tier of TIERS.filter((one) => onlyTier === undefined || one === onlyTier)) {
    const [old, own] = [there, now].map((files) => files.filter((file) => tierOf(file) === tier));
    const turns = Math.ceil(old!.length / FILES_OF_TURN);
    const spent = { here: 0, there: 0 };
    for (let turn = 0; turn < turns; turn++) {
      const sides = [
        ['there', other.folder, old!],
        ['here', ROOT, own!],
      ] as const;
      for (const [side, folder, files] of turn % 2 === 0 ? sides : sides.toReversed()) {
        const seconds = await run(
          folder,
          files.filter((_, n) => n % turns === turn),
        );
        spent[side] += seconds;
      }
    }
    const ratio = fixed(spent.here / spent.there);
    rows.push([tier, `${own!.length}`, whole(spent.here), `${old!.length}`, whole(spent.there), ratio]);
  }
  console.log(provenance(`npm run bench -- tests ${commit}`));
  console.log(
    `\n${table(['tier', 'files here', 'seconds', `files of ${other.name}`, 'seconds', 'ratio'], rows)}`,
  );
}

/** Runs some files. @returns seconds of processor time */
async function run(folder: string, files: readonly string[]): Promise<number> {
  const child = spawn('node_modules/.bin/node', ['scripts/test.ts', ...files], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const group = openCpuGroup(child.pid!);
  if (group === null) throw new Error('This needs cgroup v2, and the right to make a group.');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-2_000);
  });
  await once(child, 'close');
  const seconds = group.seconds();
  group.close();
  // What fails may have ended early.
  console.error(
    `${basename(folder)}: ${printed.trim().split('\n').at(-1)}; ${whole(seconds)} s of the whole tree`,
  );
  return seconds;
}
