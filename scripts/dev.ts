/**
 * `npm run dev`: runs Sluice with a temporary data folder, restarts it when a source changes, serves the site that the
 * tests scrape, and prints an API key. Unlike by default, targets on loopback are allowed.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSite } from '../test/site/site.ts';

const root = join(import.meta.dirname, '..');
const data = mkdtempSync(join(tmpdir(), 'sluice-dev-'));
const port = process.env.SLUICE_PORT ?? '8080';
const site = await startSite({ tls: true, log: false });

// Through a pipe, not on a terminal: then Sluice writes the first key to a file, from which it is read below.
const service = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/main.ts', 'serve'], {
  cwd: root,
  env: {
    SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8,::1/128',
    SLUICE_DATA_DIR: data,
    SLUICE_PORT: port,
    ...process.env,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
service.stdout.pipe(process.stdout);

/** Waits for the API key and the set-up link of the first start; null if the service ended before. */
async function firstKey(): Promise<string[] | null> {
  const file = join(process.env.SLUICE_DATA_DIR ?? data, 'first-key');
  while (service.exitCode === null && service.signalCode === null) {
    if (existsSync(file)) {
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      if (lines[0] !== '') return lines;
    }
    await sleep(50, undefined, { ref: false });
  }
  return null;
}

const stop = (): void => void service.kill('SIGTERM');
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
service.once('exit', (code) => {
  void site.close();
  rmSync(data, { recursive: true, force: true });
  process.exitCode = code ?? 0;
});

const configuredKey = process.env.SLUICE_API_KEY;
const [key, link] = configuredKey === undefined ? ((await firstKey()) ?? []) : [configuredKey];
if (key !== undefined) {
  console.log(`${link === undefined ? '' : `\ndashboard     ${link}`}
test site     ${site.url}   ${site.httpsUrl} (self-signed: scraper_options.verify_tls false)
API key       ${key}
try           curl -s http://127.0.0.1:${port}/api/v1/scrape/ -H 'Authorization: Api-Key ${key}' \\
                -H 'Content-Type: application/json' -d '{"url": "${site.url}/html/2000", "scraper": "auto"}'
`);
}
