import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failure } from '../../src/domain/failure.ts';
import type { Attempt, Candidate, Scrape } from '../../src/domain/scrape.ts';
import type { VerdictKind, Wall } from '../../src/domain/verdict.ts';
import { explanationOf } from '../../src/wire/answer/explanation.ts';
import { sampleScrape } from './sample-scrape.ts';

const [SAMPLE] = sampleScrape().attempts as readonly [Attempt];
const UNKNOWN_PAGE = 'this kind of page is not known yet; this method has the lowest expected cost';

const attempt = (change: Partial<Attempt>): Attempt => ({ ...SAMPLE, reason: UNKNOWN_PAGE, ...change });
const verdict = (kind: VerdictKind, wall: Wall | null = null) => ({
  kind,
  confidence: 1,
  signals: [],
  missing: null,
  wall,
});
const refused = (kind: VerdictKind, change: Partial<Attempt> = {}): Attempt =>
  attempt({ outcome: 'rejected', verdict: verdict(kind), failure: failure('target.blocked', ''), ...change });
const scrape = (change: Partial<Scrape>): Scrape =>
  sampleScrape({
    timing: { ...sampleScrape().timing, total: 1234 },
    warnings: [],
    cost: null,
    costUnit: 'effort',
    ...change,
  });
const candidate = (change: Partial<Candidate>): Candidate => ({
  scraper: 'http',
  proxyType: 'datacenter',
  estCost: 0.002,
  estSuccess: 0.9,
  estMs: 800,
  selected: true,
  excludedBy: null,
  ...change,
});

describe('explanations', () => {
  test('one attempt', () => {
    assert.equal(
      explanationOf(scrape({ attempts: [attempt({ verdict: verdict('ok') })] })),
      `http with a datacenter address returned the page, because ${UNKNOWN_PAGE}. One attempt took 1.2 s.`,
    );
    const named = attempt({ proxyType: 'none', reason: 'named by the request', statusCode: 404 });
    assert.equal(
      explanationOf(scrape({ attempts: [named], cost: 1_500, costUnit: 'EUR' })),
      "http without a proxy returned the site's own error page (status 404), as the request named it. One attempt took 1.2 s and cost 0.0015 EUR.",
    );
  });

  test('who connects directly or by a vendor has no address of a proxy, and a pause is no part of the time', () => {
    const warnings = [{ code: 'proxy.direct', message: '' }] as const;
    const timing = { ...sampleScrape().timing, total: 60_590, pause: 60_518 };
    const rate = attempt({ verdict: verdict('ok') });
    assert.equal(
      explanationOf(scrape({ attempts: [rate], warnings, timing })),
      `http without a proxy returned the page, because ${UNKNOWN_PAGE}. One attempt took 0.1 s, after a pause of 60.5 s.`,
    );
    assert.equal(
      explanationOf(scrape({ attempts: [rate, rate], timing, cost: 1_500, costUnit: 'EUR' })),
      'http with a datacenter address returned the page; then http with a datacenter address returned the page. ' +
        '2 attempts took 0.1 s, with pauses of 60.5 s, and cost 0.0015 EUR.',
    );
    const vendor = attempt({
      scraper: 'vendor:zyte',
      verdict: verdict('ok'),
      reason: 'named by the request',
    });
    assert.equal(
      explanationOf(scrape({ attempts: [vendor] })),
      'vendor:zyte returned the page, as the request named it. One attempt took 1.2 s.',
    );
  });

  test('a page that was rejected is not called the page, and a wall is named', () => {
    const rejected = (change: Partial<Attempt>) =>
      explanationOf(scrape({ attempts: [refused('ok', { reason: 'named by the request', ...change })] }));
    assert.match(
      rejected({ failure: failure('timeout.total', '') }),
      /^http with a datacenter address returned the page, but not everything requested \(timeout\.total\), /,
    );
    assert.match(
      rejected({ failure: failure('accept.unmet', '') }),
      /returned a page that does not meet the accept conditions \(accept\.unmet\), /,
    );
    const walls = (wall: Wall | null) => rejected({ verdict: verdict('wall', wall) });
    assert.match(walls('login'), /got a login page \(target\.blocked\), /);
    assert.match(walls('geo'), /got a notice that it is not available in this location /);
    assert.match(walls('consent'), /got a consent page /);
  });

  test('several attempts, and an early end', () => {
    const attempts = [
      refused('block', { statusCode: 403 }),
      attempt({
        scraper: 'http_impersonate',
        outcome: 'failed',
        verdict: verdict('net'),
        failure: failure('connect.reset', ''),
      }),
      attempt({ scraper: 'vendor:zyte', proxyType: 'residential', verdict: verdict('ok') }),
    ];
    assert.equal(
      explanationOf(scrape({ attempts, costUnit: 'EUR' })),
      'http with a datacenter address was refused by the site (target.blocked, status 403) and http_impersonate with a ' +
        'datacenter address failed (connect.reset); then vendor:zyte with a residential address returned the page. ' +
        '3 attempts took 1.2 s; the cost is not known.',
    );
    const stopped = { reason: 'timeout', message: 'Not enough time was left for another method.' } as const;
    assert.equal(
      explanationOf(scrape({ attempts: [refused('captcha')], stopped })),
      `http with a datacenter address met a captcha (target.blocked), because ${UNKNOWN_PAGE}. One attempt took 1.2 s. ${stopped.message}`,
    );
  });

  test('nothing was fetched', () => {
    const planned = { outcome: 'planned', attempts: [], costUnit: 'EUR' } as const;
    assert.equal(
      explanationOf(scrape({ ...planned, candidates: [candidate({})] })),
      'Nothing was fetched: this is a dry run. First would be http with a datacenter address, for about 0.002 EUR.',
    );
    assert.equal(
      explanationOf(scrape({ ...planned, candidates: [] })),
      'Nothing was fetched: this is a dry run.',
    );
    const errors = [failure('service.storage', 'Records cannot be stored now.')];
    assert.equal(
      explanationOf(scrape({ outcome: 'failed', attempts: [], errors })),
      'Nothing was fetched: Records cannot be stored now.',
    );
  });
});
