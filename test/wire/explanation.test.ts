import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { failure } from '../../src/domain/failure.ts';
import type { Attempt, Candidate, Scrape } from '../../src/domain/scrape.ts';
import type { VerdictKind } from '../../src/domain/verdict.ts';
import { explanationOf } from '../../src/wire/answer/explanation.ts';
import { sampleScrape } from './sample-scrape.ts';

const [SAMPLE] = sampleScrape().attempts as readonly [Attempt];
const UNKNOWN_SITE = 'the site is not known yet; this method has the lowest expected cost';

const attempt = (change: Partial<Attempt>): Attempt => ({ ...SAMPLE, reason: UNKNOWN_SITE, ...change });
const verdict = (kind: VerdictKind) => ({ kind, confidence: 1, signals: [], missing: null, wall: null });
const refused = (kind: VerdictKind, change: Partial<Attempt> = {}): Attempt =>
  attempt({ outcome: 'rejected', verdict: verdict(kind), failure: failure('target.blocked', ''), ...change });
const scrape = (change: Partial<Scrape>): Scrape =>
  sampleScrape({
    timing: { ...sampleScrape().timing, total: 1234 },
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
      `http with a datacenter address returned the page, because ${UNKNOWN_SITE}. One attempt took 1.2 s.`,
    );
    const named = attempt({ proxyType: 'none', reason: 'named by the request', statusCode: 404 });
    assert.equal(
      explanationOf(scrape({ attempts: [named], cost: 1_500, costUnit: 'EUR' })),
      'http without a proxy returned the page (status 404), as the request named it. One attempt took 1.2 s and cost 0.0015 EUR.',
    );
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
      'http with a datacenter address was refused by the site (target.blocked) (status 403) and http_impersonate with a ' +
        'datacenter address failed (connect.reset); then vendor:zyte with a residential address returned the page. ' +
        '3 attempts took 1.2 s; the cost is not known.',
    );
    const stopped = { reason: 'timeout', message: 'Not enough time was left for another method.' } as const;
    assert.equal(
      explanationOf(scrape({ attempts: [refused('captcha')], stopped })),
      `http with a datacenter address met a captcha (target.blocked), because ${UNKNOWN_SITE}. One attempt took 1.2 s. ${stopped.message}`,
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
