/**
 * Measures the processor time that a crawl takes for each page, of the whole process tree: a site of 10,000 pages of 10 KB with
 * 20 links each, every page stored. Beside Sluice, Scrapy (Debian's python3-scrapy) and Crawlee's CheerioCrawler crawl the same
 * site, one after another. Flags: `--alone` measures Sluice only, `--pages=N` stops after about so many pages.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CRAWL_PAGES } from './lib/crawl-target.ts';
import { installPeers } from './lib/peers.ts';
import { cpuSeconds, residentMib } from './lib/proc.ts';
import { fixed, provenance, table, whole } from './lib/report.ts';
import { type SluiceServed, startBeside, startSluice } from './lib/services.ts';

/** As many as the jobs of a user may run. */
const CONCURRENCY = 20;
const POLL_MS = 250;
/** Another Python that is found first does not have the packages of Debian. */
const DEBIAN_PYTHON = '/usr/bin/python3';

interface CrawlFigures {
  readonly name: string;
  readonly pages: number;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly peakMib: number;
}

/** The settings of a service that crawls as fast as the others. */
export const CRAWL_ENV = {
  SLUICE_BROWSER_WARM: 'false',
  SLUICE_JOB_CONCURRENCY: String(CONCURRENCY),
  SLUICE_JOB_HOST_CONCURRENCY: String(CONCURRENCY),
};

/** Crawls a site with a service of its own. @param start of a service with `CRAWL_ENV` */
export async function crawlBySluice(
  site: string,
  limit: number,
  start: () => Promise<SluiceServed> = () => startSluice(CRAWL_ENV),
): Promise<CrawlFigures> {
  const service = await start();
  try {
    const call = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${service.base}/api/v1${path}`, {
        method,
        headers: { authorization: service.authorization, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { id: string; state: string; counts: { ok: number } };
    };
    const began = performance.now();
    const cpu = cpuSeconds(service.pid);
    const request = { scraper: 'http' };
    const { id } = await call('POST', '/crawls/', { url: `${site}/`, limit, per_host: CONCURRENCY, request });
    let peakMib = 0;
    for (;;) {
      await pause(POLL_MS);
      peakMib = Math.max(peakMib, residentMib(service.pid));
      const task = await call('GET', `/jobs/${id}/`);
      if (task.state === 'queued' || task.state === 'running') continue;
      return {
        name: 'Sluice',
        pages: task.counts.ok,
        cpuSeconds: cpuSeconds(service.pid) - cpu,
        wallSeconds: (performance.now() - began) / 1000,
        peakMib,
      };
    }
  } finally {
    await service.stop();
  }
}

/** Runs a program of bench/peers that prints `ready`, crawls after a line of input, and prints `done PAGES`. */
async function crawlByPeer(name: string, command: readonly string[], site: string): Promise<CrawlFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-crawl-'));
  const [program, file] = command;
  const child = spawn(
    program!,
    [join(import.meta.dirname, 'peers', file!), `${site}/`, folder, String(CONCURRENCY)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  try {
    let printed = '';
    child.stdout.on('data', (data) => {
      printed += data;
    });
    const until = async (pattern: RegExp, onPoll = () => {}): Promise<RegExpExecArray> => {
      for (;;) {
        const match = pattern.exec(printed);
        if (match !== null) return match;
        if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
        onPoll();
        await pause(POLL_MS);
      }
    };
    await until(/ready/);
    const pid = child.pid!;
    const cpu = cpuSeconds(pid);
    const began = performance.now();
    let peakMib = 0;
    child.stdin.write('go\n');
    const done = await until(/done (\d+)/, () => {
      peakMib = Math.max(peakMib, residentMib(pid));
    });
    const wallSeconds = (performance.now() - began) / 1000;
    return { name, pages: Number(done[1]), cpuSeconds: cpuSeconds(pid) - cpu, wallSeconds, peakMib };
  } finally {
    child.stdin.end('end\n');
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function crawlByPeers(site: string): Promise<readonly CrawlFigures[]> {
  const figures: CrawlFigures[] = [];
  if (spawnSync(DEBIAN_PYTHON, ['-c', 'import scrapy']).status === 0)
    figures.push(await crawlByPeer('Scrapy', [DEBIAN_PYTHON, 'crawl-scrapy.py'], site));
  else console.log('Scrapy is not installed, so it was not measured: apt-get install python3-scrapy');
  const problem = installPeers();
  if (problem === null)
    figures.push(await crawlByPeer('Crawlee', [process.execPath, 'crawl-crawlee.mjs'], site));
  else console.log(`Crawlee was not measured: ${problem}`);
  return figures;
}

export async function crawl(flags: readonly string[]): Promise<void> {
  const limit = Number(flags.find((flag) => flag.startsWith('--pages='))?.slice(8) ?? 2 * CRAWL_PAGES);
  const target = await startBeside('crawl-target.ts');
  try {
    const own = await crawlBySluice(target.base, limit);
    const peers = flags.includes('--alone') ? [] : await crawlByPeers(target.base);
    const ms = ({ cpuSeconds: seconds, pages }: CrawlFigures) => (1000 * seconds) / pages;
    const rows = [own, ...peers].map((figures) => [
      figures.name,
      whole(figures.pages),
      fixed(ms(figures)),
      fixed(ms(own) / ms(figures)),
      fixed(figures.wallSeconds, 1),
      whole(figures.peakMib),
    ]);
    console.log(`${provenance('npm run bench -- crawl')}\n`);
    console.log(
      table(['crawler', 'pages', 'processor ms a page', 'Sluice takes', 'seconds', 'peak MiB'], rows),
    );
  } finally {
    await target.stop();
  }
}
