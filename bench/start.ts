import { fixed, provenance, whole } from './lib/report.ts';
import { startSluice } from './lib/services.ts';
import { median } from './lib/statistics.ts';

const TIMES = 5;

/** Measures the time from spawn to the first 200 of /readyz, on an empty data folder. */
export async function start(): Promise<void> {
  const times: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    const sluice = await startSluice();
    times.push(sluice.startMs);
    await sluice.stop();
  }
  console.log(provenance('npm run bench -- start'));
  console.log(`\nSpawn to ready: ${fixed(median(times) / 1000)} s, median of ${TIMES} starts`);
  console.log(`(${times.map((ms) => `${whole(ms)} ms`).join(', ')}).`);
}
