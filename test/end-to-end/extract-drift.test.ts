import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startService, useService } from '../helpers/service.ts';
import { useTarget } from './text-target.ts';

const OLD = '<h1>One</h1><ul><li><b>5</b></li></ul><p class="price">7</p>';
const NEW = '<h1>One</h1><ul><li>5</li></ul><p>7</p>';
const BLOCKED = '<title>Access denied</title><h1>Access denied</h1>';

describe('drift of rules', () => {
  const service = useService();
  let page = OLD;
  let status = 200;
  const target = useTarget({
    '/page': ['text/html', () => Buffer.from(page), () => status],
  });
  const RULES = {
    title: 'h1',
    price: { selector: '.price', transform: 'number' },
    items: { selector: 'li', type: 'list', output: { bold: 'b' } },
    never: 'h6',
  };
  const scrape = (extract: unknown = RULES, from = service) =>
    from.scrape({ url: `${target.url}/page`, scraper: 'http', scraper_options: { extract } });
  const drift = async (...args: Parameters<typeof scrape>) => {
    const { body } = await scrape(...args);
    return body.router.warnings.find(({ code }) => code === 'extract.drift');
  };

  test('is reported with the rules and the times, and not for pages that are no page', async () => {
    assert.equal(await drift(), undefined);
    status = 500;
    page = BLOCKED;
    assert.equal(await drift(), undefined);
    status = 200;
    page = NEW;
    const before = Date.now();
    const warning = await drift();
    assert.ok(warning);
    assert.equal(warning.pointer, '/scraper_options/extract');
    const { since, rules } = warning.details as {
      since: string;
      rules: { pointer: string; since: string; last_found: string }[];
    };
    assert.deepEqual(
      rules.map(({ pointer }) => pointer),
      ['/scraper_options/extract/price/selector', '/scraper_options/extract/items/output/bold'],
    );
    assert.ok(Date.parse(since) >= before);
    assert.ok(Date.parse(rules[0]!.last_found) <= before);
    const again = await drift();
    assert.equal((again!.details as { since: string }).since, since);
    assert.equal(await drift({ price: '.price' }), undefined);
    page = OLD;
    assert.equal(await drift(), undefined);
  });

  test('is remembered over a restart, also for templates', async () => {
    await using first = await startService();
    const body = { name: 'product', rules: RULES };
    assert.equal((await first.api('POST', '/api/v1/templates/', { body })).status, 201);
    page = OLD;
    assert.equal(await drift('template:product', first), undefined);
    await first.stop();
    await using second = await startService({}, { dataDir: first.dataDir });
    page = NEW;
    const warning = await drift('template:product', second);
    assert.equal((warning!.details as { rules: unknown[] }).rules.length, 2);
    await second.stop();
  });
});
