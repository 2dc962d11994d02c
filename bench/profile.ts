import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../test/helpers/repository.ts';
import { fixed, provenance, table } from './lib/report.ts';
import { startBeside, startSluice } from './lib/services.ts';
import { wrk } from './lib/wrk.ts';

/** The shape of a .cpuprofile (Chrome DevTools Protocol, Profiler.Profile). */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

/**
 * Profiles the threads of the service under load, and prints the files and functions that take the most time.
 * Arguments: the page in KB (1), connections (32), `--auto` for `auto` instead of `http`, `--keep` for the profiles.
 */
export async function profile(flags: readonly string[]): Promise<void> {
  const [kb = '1', connections = '32'] = flags.filter((flag) => !flag.startsWith('-'));
  const folder = mkdtempSync(join(tmpdir(), 'sluice-profile-'));
  const target = await startBeside('target.ts');
  const sluice = await startSluice({ NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` });
  const body = JSON.stringify({
    url: `${target.base}/${kb}`,
    scraper: flags.includes('--auto') ? 'auto' : 'http',
  });
  const load = { url: `${sluice.base}/api/v1/scrape/`, authorization: sluice.authorization, body };
  const measured = await wrk({ ...load, connections: Number(connections), seconds: 8 });
  await Promise.all([sluice.stop(), target.stop()]);
  console.log(provenance(`npm run bench -- profile ${kb} ${connections}`));
  console.log(`${fixed(measured.perSecond, 0)} scrapes/s while profiled, ${measured.errors} errors.`);
  for (const file of readdirSync(folder).sort()) report(join(folder, file), measured.requests);
  if (!flags.includes('--keep')) rmSync(folder, { recursive: true });
  else console.log(`\nThe profiles are in ${folder}.`);
}

function report(file: string, scrapes: number): void {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const functions = new Map<string, { place: string; us: number }>();
  const files = new Map<string, number>();
  let busy = 0;
  samples.forEach((id, n) => {
    const { functionName, url, lineNumber } = frames.get(id)!;
    const us = timeDeltas[n] ?? 0;
    // `(program)` is native code outside of JavaScript, mostly waiting.
    if (functionName === '(idle)' || functionName === '(program)') return;
    busy += us;
    const place = placeOf(url) || '(V8)';
    const name = `${functionName || '(anonymous)'} ${place}:${lineNumber + 1}`;
    const entry = functions.get(name) ?? { place: name, us: 0 };
    entry.us += us;
    functions.set(name, entry);
    files.set(place, (files.get(place) ?? 0) + us);
  });
  const thread = /\.(\d+)\.\d+\.cpuprofile$/.exec(file)?.[1];
  console.log(`\n### Thread ${thread}: ${fixed(busy / scrapes, 1)} µs a scrape\n`);
  const cells = (name: string, us: number) => [
    name,
    fixed(us / scrapes, 2),
    `${fixed((us / busy) * 100, 1)} %`,
  ];
  const byFile = [...files].sort((a, b) => b[1] - a[1]).slice(0, 30);
  console.log(
    table(
      ['file', 'self µs', 'share'],
      byFile.map(([name, us]) => cells(name, us)),
    ),
  );
  const byFunction = [...functions.values()].sort((a, b) => b.us - a.us).slice(0, 40);
  console.log(
    `\n${table(
      ['function', 'self µs', 'share'],
      byFunction.map(({ place, us }) => cells(place, us)),
    )}`,
  );
}

function placeOf(url: string): string {
  return url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url;
}
