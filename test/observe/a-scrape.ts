import type { Scrape } from '../../src/domain/scrape.ts';
import { job } from '../helpers/job.ts';

/** A plain successful scrape, with what a test wants otherwise. */
export function aScrape(change: Partial<Scrape> & { url?: string } = {}): Scrape {
  const { url = 'https://example.com/a/b?token=hunter2#part', ...rest } = change;
  const bytes = Buffer.from('<p>hi</p>');
  return {
    id: '01890a5d-ac96-774b-bcce-b302099a8057',
    createdAt: Date.UTC(2030, 0, 1),
    job: job({ url }),
    requestId: 'req-1',
    httpStatus: 200,
    outcome: 'ok',
    delivered: {
      page: {
        statusCode: 200,
        headers: [],
        finalUrl: url,
        method: 'GET',
        body: bytes,
        cut: null,
        undecoded: false,
        cookies: [],
      },
      content: { encoding: 'utf-8', bytes },
      attempt: 1,
      charset: null,
      data: [],
    },
    errors: [],
    warnings: [],
    attempts: [
      {
        n: 1,
        scraper: 'http',
        proxyType: 'datacenter',
        country: null,
        outcome: 'ok',
        verdict: null,
        statusCode: 200,
        failure: null,
        durationMs: 12,
        cost: null,
        bytesOut: 120,
        bytesIn: 3456,
        costItems: [],
        reason: 'first of the plan',
        reused: [],
      },
    ],
    candidates: [],
    stopped: null,
    verdict: null,
    redirects: [],
    requestHeaders: [['cookie', 'hunter2']],
    remoteIp: '127.0.0.1',
    timing: {
      pause: null,
      queue: 0,
      dns: null,
      connect: null,
      tls: null,
      ttfb: 10.12345,
      download: 1,
      load: null,
      wait: null,
      actions: null,
      total: 12.3456,
    },
    cost: null,
    costUnit: 'effort',
    robots: null,
    scraper: 'http',
    proxyType: 'datacenter',
    sentOnce: false,
    ...rest,
  };
}
