import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failure } from '../../src/domain/failure.ts';
import { createEvents } from '../../src/observe/events.ts';
import { auditLog, createLogger, type LogLevel } from '../../src/observe/logger.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import { ScrapeCounters } from '../../src/observe/scrape-counters.ts';
import { aScrape } from './a-scrape.ts';

function observed(level: LogLevel = 'info') {
  const written: string[] = [];
  const logging = createLogger({
    level,
    destination: { write: (line) => void written.push(line) },
  });
  const metrics = createMetrics(logging.dropped);
  const counters = new ScrapeCounters(() => Date.now());
  return { events: createEvents(logging, metrics, counters, null), metrics, written };
}

const who = { userId: 'user-1', keyId: 'key-1' };
const alone = { storing: null };

/** Samples of our own metrics with a value other than 0, without buckets. */
async function samples(metrics: { text(): Promise<string> }): Promise<string[]> {
  const text = await metrics.text();
  return text
    .split('\n')
    .filter((line) => /^sluice_/.test(line) && !/_bucket|_sum| 0$/.test(line))
    .sort();
}

describe('events', () => {
  it('tells a scrape in one line, with a closed list of members', () => {
    const { events, written } = observed();
    events.scrapeEnded(aScrape(), who, alone);
    assert.equal(written.length, 1);
    const { time, ...line } = JSON.parse(written[0] ?? '');
    assert.ok(time);
    assert.deepEqual(line, {
      level: 'info',
      request_id: 'req-1',
      scrape_id: '01890a5d-ac96-774b-bcce-b302099a8057',
      user_id: 'user-1',
      key_id: 'key-1',
      method: 'GET',
      host: 'example.com',
      path: '/a/b',
      requested_scraper: 'auto',
      scraper: 'http',
      proxy_type: 'datacenter',
      http_status: 200,
      status_code: 200,
      outcome: 'ok',
      error_code: null,
      attempts: 1,
      duration_ms: 12.35,
      timing: { queue: 0, dns: null, connect: null, tls: null, ttfb: 10.12, download: 1 },
      content_bytes: 9,
      cost: null,
      msg: 'scrape',
    });
    assert.doesNotMatch(written[0] ?? '', /hunter2/);
  });

  const paths: [url: string, path: string][] = [
    ['https://example.com', '/'],
    ['https://example.com/', '/'],
    ['https://example.com/a#b?c', '/a'],
    ['https://example.com/?a=/b', '/'],
    [`https://example.com/${'x'.repeat(5000)}`, `/${'x'.repeat(1023)}`],
  ];
  for (const [url, path] of paths) {
    it(`tells of ${url.slice(0, 40)} the path only`, () => {
      const { events, written } = observed();
      events.scrapeEnded(aScrape({ url }), who, alone);
      assert.equal(JSON.parse(written[0] ?? '').path, path);
    });
  }

  it('tells failures, and what was cancelled', () => {
    const { events, written } = observed();
    const error = failure('dns.not_found', 'no such host');
    events.scrapeEnded(
      aScrape({ httpStatus: 502, outcome: 'failed', delivered: null, errors: [error], attempts: [] }),
      who,
      alone,
    );
    events.scrapeEnded(aScrape({ httpStatus: null, outcome: 'failed', delivered: null }), who, alone);
    const [failed, cancelled] = written.map((line) => JSON.parse(line));
    assert.equal(failed.error_code, 'dns.not_found');
    assert.equal(failed.status_code, null);
    assert.equal(failed.content_bytes, null);
    assert.equal(cancelled.http_status, null);
  });

  it('counts scrapes, attempts and refusals, without a label for host, URL, user or key', async () => {
    const { events, metrics, written } = observed();
    const { attempts } = aScrape();
    const error = failure('connect.refused', 'refused');
    events.scrapeEnded(aScrape(), who, alone);
    events.scrapeEnded(aScrape(), who, alone);
    events.scrapeEnded(
      aScrape({
        httpStatus: 502,
        outcome: 'failed',
        scraper: null,
        delivered: null,
        errors: [error],
        attempts: [{ ...attempts[0]!, outcome: 'failed', failure: error }],
      }),
      who,
      alone,
    );
    events.requestRefused({
      requestId: 'r',
      code: 'limit.concurrency',
      status: 429,
      method: 'POST',
      path: '/api/v1/scrape/',
      ...who,
    });
    metrics.changeInFlight(1);
    metrics.changeInFlight(1);
    metrics.changeInFlight(-1);
    metrics.recordStored(3);
    metrics.browserPhase('close', 20);
    metrics.storeFailed();
    metrics.addGauge('sluice_memory_bytes', 'In use.', () => 42);
    assert.equal(written.length, 3, 'refusals stand in the log at debug only');
    assert.deepEqual(await samples(metrics), [
      'sluice_attempts_total{scraper="http",proxy_type="datacenter",outcome="failed",code="connect.refused"} 1',
      'sluice_attempts_total{scraper="http",proxy_type="datacenter",outcome="ok",code="ok"} 2',
      'sluice_browser_phase_seconds_count{phase="close"} 1',
      'sluice_memory_bytes 42',
      'sluice_requests_refused_total{code="limit.concurrency"} 1',
      'sluice_scrape_duration_seconds_count{scraper="http"} 2',
      'sluice_scrape_duration_seconds_count{scraper="none"} 1',
      'sluice_scrapes_in_flight 1',
      'sluice_scrapes_total{scraper="http",outcome="ok",http_status="2xx"} 2',
      'sluice_scrapes_total{scraper="none",outcome="failed",http_status="5xx"} 1',
      'sluice_store_duration_seconds_count 1',
      'sluice_store_failures_total 1',
    ]);
    const text = await metrics.text();
    assert.match(text, /^process_cpu_seconds_total /m);
    assert.doesNotMatch(text, /example\.com|user-1|key-1/);
    assert.match(metrics.contentType, /^text\/plain; version=0\.0\.4/);
  });

  it('tells refusals at debug, without the query', () => {
    const { events, written } = observed('debug');
    events.requestRefused({
      requestId: 'r',
      code: 'auth.missing',
      status: 401,
      method: 'GET',
      path: '/api/v1/scrape/?x=1',
      userId: null,
      keyId: null,
    });
    const line = JSON.parse(written[0] ?? '');
    assert.deepEqual(
      [line.msg, line.level, line.code, line.path],
      ['refused', 'debug', 'auth.missing', '/api/v1/scrape/'],
    );
  });

  it('tells changes of users and keys', () => {
    const written: string[] = [];
    const { logger } = createLogger({
      level: 'info',
      destination: { write: (line) => void written.push(line) },
    });
    auditLog({ logger })({
      id: 'i',
      at: 0,
      action: 'key.revoked',
      actor: { userId: null, keyId: null, via: 'command_line' },
      userId: 'u',
      target: { type: 'key', id: 'k' },
      address: null,
      details: { changed: [] },
    });
    const line = JSON.parse(written[0] ?? '');
    assert.deepEqual([line.msg, line.action, line.user_id], ['audit', 'key.revoked', 'u']);
    assert.deepEqual([line.via, line.target, line.changed], ['command_line', { type: 'key', id: 'k' }, []]);
  });
});
