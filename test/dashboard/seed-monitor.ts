import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually, type ServiceApi } from '../helpers/service.ts';

/** The page of run `n`: its clock differs in each run, and the news from the fourth on. */
export function watchedPage(n: number): string {
  const paragraph = 'The council met on Tuesday and spoke about the bridge over the river. '.repeat(4);
  const news = n < 4 ? 'The bridge stays closed.' : 'The bridge is open again.';
  const clock = `Served by machine ${n * 7 + 100} of the data centre`;
  return `<!doctype html><title>News</title><main><h1>News of the town</h1><p>${paragraph}</p><p>${news}</p><p>${clock}</p></main>`;
}

/** Runs the monitor and waits for the end of the run. */
export async function runMonitor(service: ServiceApi, id: string): Promise<void> {
  const begun = await service.api<{ n: number }>('POST', `/api/v1/monitors/${id}/run/`);
  assert.equal(begun.status, 202, JSON.stringify(begun.body));
  await eventually(async () => {
    const path = `/api/v1/monitors/${id}/runs/`;
    const { body } = await service.api<{ items: { n: number; state: string }[] }>('GET', path);
    return body.items.find(({ n }) => n === begun.body.n)?.state === 'ended';
  });
}

/** A monitor with four runs, of which the last has found a change. @returns its id */
export async function seedMonitor(service: ServiceApi): Promise<string> {
  let run = 0;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(watchedPage(++run));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/news`;
  // No other run may be due soon: 08:00 in Berlin is 06:00 or 07:00 UTC.
  const hour = [5, 6, 7].includes(new Date().getUTCHours()) ? 20 : 8;
  const made = await service.api<{ id: string }>('POST', '/api/v1/monitors/', {
    body: {
      name: 'News of the town',
      request: { url, scraper: 'http' },
      schedule: { cron: `0 ${hour} * * *`, timezone: 'Europe/Berlin' },
      compare: { ignore: ['dates'] },
      first_run: 'scheduled',
    },
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  while (run < 4) await runMonitor(service, made.body.id);
  server.close();
  return made.body.id;
}
