import { start } from '../launching.ts';
import { chromiums } from '../stage.ts';

/** Prints what comes of starting each Chromium of this machine. */
const results: unknown[] = [];
for (const found of await chromiums()) {
  const launched = await start(found);
  results.push('browser' in launched ? 'runs' : launched);
  if ('browser' in launched) await launched.close();
}
console.log(JSON.stringify(results));
