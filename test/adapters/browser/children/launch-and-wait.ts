import { isLaunched, start } from '../launching.ts';
import { chromiums } from '../stage.ts';

/** Starts each Chromium of this machine, prints the process groups, and waits to be killed. */
const groups: (number | null)[] = [];
for (const found of await chromiums()) {
  const launched = await start(found);
  isLaunched(launched);
  await (await launched.browser.newPage()).setContent('<p>waiting');
  groups.push(launched.pid);
}
console.log(`running ${JSON.stringify(groups)}`);
setInterval(() => {}, 60_000);
