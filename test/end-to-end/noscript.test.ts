import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { useService } from '../helpers/service.ts';
import { useTarget } from './text-target.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('noscript', () => {
  const service = useService();
  const target = useTarget({
    '/': [
      'text/html',
      '<p>text<img data-src="/lazy"><noscript><img src="/real"><a href="/old">for others</a></noscript></p>',
    ],
  });
  const ask = async (scraper: string, more: object = {}) => {
    const { body } = await service.scrape({
      url: `${target.url}/`,
      scraper,
      scraper_options: {
        formats: ['text', 'links'],
        extract: { src: 'noscript img@src', html: { selector: 'noscript', output: 'html' } },
        ...more,
      },
    });
    const { text, links, extract } = body.scraper_data as ReturnType<typeof JSON.parse>;
    return { text, links: links.length, ...extract };
  };
  const html = '<noscript><img src="/real"><a href="/old">for others</a></noscript>';

  test('is parsed as elements if no script ran', async () => {
    const read = { text: 'text', links: 1, src: `${target.url}/real`, html };
    assert.deepEqual(await ask('http'), read);
    if (skip === false) assert.deepEqual(await ask('browser', { javascript: false }), read);
  });

  test('is text if scripts may have run', { skip }, async () => {
    assert.deepEqual(await ask('browser'), { text: 'text', links: 0, src: null, html });
  });
});
