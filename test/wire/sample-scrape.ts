import { NO_TIMING } from '../../src/domain/fetch-result.ts';
import type { Content, Delivery, Scrape } from '../../src/domain/scrape.ts';
import { parseTask } from '../../src/wire/request/parse-task.ts';

export const ID = '01970000-0000-7000-8000-000000000000';

export function textContent(text: string): Content {
  return { encoding: 'utf-8', bytes: Buffer.from(text) };
}

export function binaryContent(bytes: Uint8Array): Content {
  return { encoding: 'base64', bytes };
}

export function delivered(
  content: Content | null,
  headers?: readonly (readonly [string, string])[],
): Delivery {
  return {
    page: {
      statusCode: 200,
      headers: headers ?? [
        ['content-type', 'text/html; charset=utf-8'],
        ['vary', 'accept'],
        ['set-cookie', 'a=1; Path=/'],
        ['vary', 'cookie'],
        ['set-cookie', 'b=2, 3'],
      ],
      finalUrl: 'http://site.test/page?x=1#top',
      method: 'GET',
      body: content?.bytes ?? new Uint8Array(),
      cut: null,
      undecoded: false,
      cookies: [
        {
          name: 'a',
          value: '1',
          domain: 'site.test',
          path: '/',
          expires: null,
          secure: false,
          httpOnly: true,
          sameSite: 'lax',
        },
      ],
    },
    content,
    attempt: 1,
    charset: content?.encoding === 'utf-8' ? { name: 'UTF-8', source: 'http' } : null,
    data: [],
    rules: [],
    found: null,
  };
}

/** A successful scrape, with the members that a test changes. */
export function sampleScrape(change: Partial<Scrape> & { readonly request?: object } = {}): Scrape {
  const { request, ...rest } = change;
  const { task, problems } = parseTask({ url: 'http://site.test/page', scraper: 'http', ...request });
  if (task === null) throw new Error(JSON.stringify(problems));
  return {
    id: ID,
    createdAt: Date.UTC(2026, 0, 31, 12),
    startedAt: Date.UTC(2026, 0, 31, 12),
    task,
    requestId: 'req-1',
    httpStatus: 200,
    outcome: 'ok',
    delivered: delivered(textContent('<title>Hällo</title>')),
    errors: [],
    warnings: [{ code: 'proxy.direct', message: 'Sent directly.' }],
    attempts: [
      {
        n: 1,
        scraper: 'http',
        proxyType: 'datacenter',
        direct: true,
        country: null,
        outcome: 'ok',
        verdict: { kind: 'ok', confidence: 1, signals: [], missing: null, wall: null },
        statusCode: 200,
        failure: null,
        startedAt: 0,
        durationMs: 12.4,
        queuedMs: 0,
        timing: NO_TIMING,
        cost: null,
        bytesOut: 120,
        bytesIn: 3456,
        costItems: [],
        reason: 'the scraper that was named',
        reused: ['connection'],
      },
    ],
    stopped: null,
    candidates: [
      {
        scraper: 'http',
        proxyType: 'datacenter',
        estCost: null,
        estSuccess: null,
        estMs: null,
        selected: true,
        excludedBy: null,
      },
    ],
    verdict: { kind: 'ok', confidence: 1, signals: [], missing: null, wall: null },
    redirects: [{ url: 'http://site.test/page', statusCode: 302 }],
    requestHeaders: [
      ['host', 'site.test'],
      ['user-agent', 'Sluice/0.1.0'],
      ['cookie', 'sid=geheim; theme=dark'],
      ['authorization', 'Basic geheim'],
    ],
    remoteIp: '192.0.2.7',
    timing: {
      pause: null,
      queue: 0,
      dns: null,
      connect: 1.2,
      tls: null,
      ttfb: 5.6,
      download: 0.4,
      load: null,
      wait: null,
      actions: null,
      read: null,
      total: 12.6,
    },
    cost: null,
    costUnit: 'effort',
    robots: null,
    model: null,
    scraper: 'http',
    proxyType: 'datacenter',
    direct: true,
    sent: true,
    sentOnce: false,
    ...rest,
  };
}
