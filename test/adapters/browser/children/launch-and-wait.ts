import { isLaunched, start } from '../launching.ts';
import { chromiums, FOLDERS } from '../stage.ts';

/**
 * Starts each Chromium of this machine, with profiles in the folder that the first argument names, prints the process groups,
 * and waits to be killed.
 */
const folders = { ...FOLDERS, runDir: process.argv[2]! };
const groups: (number | null)[] = [];
for (const found of await chromiums()) {
  const launched = await start(found, true, folders);
  isLaunched(launched);
  await (await launched.browser.newPage()).setContent('<p>waiting');
  groups.push(launched.pid);
}
console.log(`running ${JSON.stringify(groups)}`);
setInterval(() => {}, 60_000);
