import { fixed, provenance, whole } from './lib/report.ts';
import { startSluice } from './lib/services.ts';
import { median } from './lib/statistics.ts';

const TIMES = 5;

/** From spawn to the first 200 of /readyz, on an empty data folder. */
export async function start(): Promise<void> {
  const taken: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const sluice = await startSluice();
    taken.push(sluice.startMs);
    await sluice.stop();
  }
  console.log(provenance('npm run bench -- start'));
  console.log(`\nSpawn to ready: median ${fixed(median(taken) / 1000)} s of ${TIMES}`);
  console.log(`(${taken.map((ms) => `${whole(ms)} ms`).join(', ')}).`);
}
