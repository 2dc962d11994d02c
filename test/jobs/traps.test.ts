import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { trapReason, urlForm } from '../../src/jobs/crawl/traps.ts';

const NOW = Date.UTC(2026, 0, 1);

describe('traps', () => {
  for (const [url, reason] of [
    ['http://a.test/a/b/a/b/a/b/', /repeats "\/a\/b"/],
    ['http://a.test/x/x/x', /repeats "\/x"/],
    ['http://a.test/a/b/c/a/b/c/a/b/c', /repeats "\/a\/b\/c"/],
    [`http://a.test/${'s/t'.repeat(31)}`, /segments|repeats/],
    ['http://a.test/calendar/2091-05', /calendar for the year 2091/],
    ['http://a.test/events/2040/03/01', /2040/],
    ['http://a.test/?month=2050-01', /2050/],
    [`http://a.test/?${'a[]=1&'.repeat(11)}`, /occurs 11 times/],
    [
      `http://a.test/?${Array.from({ length: 31 }, (_, n) => `p${n}=1`).join('&')}`,
      /more than 30 parameters/,
    ],
  ] as const)
    test(`${url.slice(0, 60)} is one`, () => assert.match(String(trapReason(new URL(url), NOW)), reason));

  for (const url of [
    'http://a.test/a/b/c/a/b',
    'http://a.test/2020/10/10/10/',
    'http://a.test/blog/2025/12/31/title',
    'http://a.test/calendar/2026-05',
    'http://a.test/news/2091-05',
    'http://a.test/events/1999/03',
    'http://a.test/?a=1&a=2&a=3',
    'http://a.test/product/2091',
    'http://a.test/en/en/',
  ])
    test(`${url} is none`, () => assert.equal(trapReason(new URL(url), NOW), null));

  for (const [url, form, limit] of [
    ['http://a.test/', null, 0],
    ['http://a.test/about', null, 0],
    ['http://a.test/item/17', 'a.test/item/#', 1000],
    ['http://a.test/item/how-to-cook-eggs', 'a.test/item/#', 1000],
    ['http://a.test/list?page=2&sort=up', 'a.test/list?page&sort', 1000],
    ['http://a.test/list?sort=up&page=7&page=8', 'a.test/list?page&sort', 1000],
    ['http://a.test/calendar/2026-05', 'a.test/calendar/#', 400],
  ] as const)
    test(`the form of ${url}`, () => {
      const found = urlForm(new URL(url), 1000);
      assert.deepEqual(found, form === null ? null : { text: form, limit });
    });
});
