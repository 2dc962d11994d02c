/**
 * Measures what a scrape costs, for sizing: processor time and the most memory of the service with its browsers, by scraper
 * and page. 32 connections, of browsers 4. `--postgres`: stored in a PostgreSQL of its own (whose time does not count).
 * `--records=…`: see cost-records.ts.
 */
import { startDurablePostgres } from './lib/durable-postgres.ts';
import { residentMib } from './lib/proc.ts';
import { treeCpu } from './lib/process-tree.ts';
import { fixed, provenance, table } from './lib/report.ts';
import { type SluiceServed, startBeside, startSluice } from './lib/services.ts';
import { wrk } from './lib/wrk.ts';

const ROWS = [
  { what: '`http`, 1 KB', body: { scraper: 'http' }, kb: 1, connections: 32, seconds: 5 },
  { what: '`http`, 30 KB', body: { scraper: 'http' }, kb: 30, connections: 32, seconds: 5 },
  {
    what: '`http`, 30 KB, as Markdown',
    body: { scraper: 'http', scraper_options: { formats: ['markdown'] } },
    kb: 30,
    connections: 32,
    seconds: 5,
  },
  {
    what: '`http_impersonate`, 30 KB',
    body: { scraper: 'http_impersonate' },
    kb: 30,
    connections: 32,
    seconds: 5,
  },
  { what: '`browser`, 30 KB', body: { scraper: 'browser' }, kb: 30, connections: 4, seconds: 10 },
] as const;

const cpuOf = (pid: number): number => Object.values(treeCpu(pid)).reduce((sum, used) => sum + used, 0);

async function measure(service: SluiceServed, target: string, row: (typeof ROWS)[number]) {
  const load = {
    url: `${service.base}/api/v1/scrape/`,
    authorization: service.authorization,
    body: JSON.stringify({ url: `${target}/${row.kb}`, ...row.body }),
    connections: row.connections,
  };
  await wrk({ ...load, seconds: 2 });
  const before = cpuOf(service.pid);
  const { requests, errors } = await wrk({ ...load, seconds: row.seconds });
  if (errors > 0) throw new Error(`${row.what}: ${errors} errors`);
  return [
    row.what,
    `${fixed(((cpuOf(service.pid) - before) * 1000) / requests)} ms`,
    `${Math.round(residentMib(service.pid))} MiB`,
  ] as const;
}

export async function cost(flags: readonly string[]): Promise<void> {
  if (flags.some((flag) => flag.startsWith('--records=')))
    return await (await import('./cost-records.ts')).costRecords(flags);
  const postgres = flags.includes('--postgres') ? await startDurablePostgres() : null;
  const target = await startBeside('target.ts');
  const rows: (readonly string[])[] = [];
  for (const row of ROWS) {
    const service = await startSluice({ SLUICE_DATABASE_URL: await postgres?.createDatabase() });
    try {
      rows.push(await measure(service, target.base, row));
    } finally {
      await service.stop();
    }
  }
  await target.stop();
  await postgres?.close();
  console.log(provenance(`npm run bench -- cost ${flags.join(' ')}`.trim()));
  console.log(table(['Scrape', 'processor time', 'memory of the service'], rows));
}
