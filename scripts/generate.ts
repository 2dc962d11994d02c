/** Runs every generator. With `--check` nothing is written, and the exit code is 1 if a file is out of date. */
import { spawnSync } from 'node:child_process';
import { generators } from './generators.ts';

let failed = false;
for (const script of generators()) {
  const { status } = spawnSync(process.execPath, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
  if (status !== 0) {
    failed = true;
    console.error(`${script} failed`);
  }
}
process.exitCode = failed ? 1 : 0;
