import { startPair } from './lib/pair.ts';
import { residentMib } from './lib/proc.ts';
import { fixed, provenance, table, whole } from './lib/report.ts';
import { slope } from './lib/statistics.ts';

const SCRAPES = 200_000;

/**
 * Measures resident memory over 200,000 scrapes (or as many as the argument says) of 1, 30 and 200 KB pages, and its
 * growth in the second half.
 */
export async function memory(flags: readonly string[]): Promise<void> {
  const scrapes = Number(flags.find((flag) => /^\d+$/.test(flag)) ?? SCRAPES);
  await using pair = await startPair({ utf8: false });
  const { pid } = pair.sluice;
  const points = [{ x: 0, y: residentMib(pid) }];
  let errors = 0;
  let peak = 0;
  for (let done = 0, round = 0; done < scrapes; round++) {
    // Mostly small pages, because large ones take long.
    const kb = round % 5 === 4 ? 200 : round % 5 === 3 ? 30 : 1;
    const measured = await pair.load('http', kb, 50, 1);
    done += measured.requests;
    errors += measured.errors;
    const resident = residentMib(pid);
    peak = Math.max(peak, resident);
    // Only after small pages: the short-lived memory of large ones belongs to the peak, not to the growth.
    if (kb === 1) points.push({ x: done, y: resident });
    console.error(`${whole(done)} scrapes, ${kb} KB: ${fixed(resident, 0)} MiB`);
  }
  const secondHalf = points.filter(({ x }) => x > scrapes / 2);
  const quarters = [0, 0.25, 0.5, 0.75, 1].map((part) => points[Math.round((points.length - 1) * part)]!);
  console.log(`${provenance(`npm run bench -- memory ${scrapes}`)}\n`);
  console.log(
    table(
      ['scrapes', 'resident MiB'],
      quarters.map(({ x, y }) => [whole(x), fixed(y, 0)]),
    ),
  );
  const growth = slope(secondHalf) * 100_000;
  console.log(`\nPeak ${fixed(peak, 0)} MiB. In the second half `);
  console.log(`${growth >= 0 ? '+' : ''}${fixed(growth, 1)} MiB per 100,000 scrapes. Errors: ${errors}.`);
  if (errors > 0) process.exitCode = 1;
}
