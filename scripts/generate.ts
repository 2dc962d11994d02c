/** Runs every generator. With `--check` nothing is written, and what is out of date makes it fail. */
import { spawnSync } from 'node:child_process';
import { generators } from './generators.ts';

let failed = false;
for (const script of generators()) {
  const done = spawnSync(process.execPath, [script, ...process.argv.slice(2)], { stdio: 'inherit' });
  if (done.status !== 0) {
    failed = true;
    console.error(`${script} failed`);
  }
}
process.exitCode = failed ? 1 : 0;
