import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { useService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('exact responses from browsers, in the running service', { skip }, () => {
  const service = useService();
  const site = useSite();
  before(async () => void (await service.scrape({ url: `${site.url}/html/100`, scraper: 'browser' })));

  test('a redirect that is the result is a page with its body', async () => {
    const { status, body } = await service.scrape({
      url: `${site.url}/redirect/1`,
      scraper: 'browser',
      allow_redirects: false,
    });
    assert.deepEqual([status, body.status_code, body.content, body.errors], [200, 302, 'elsewhere\n', []]);
    assert.deepEqual([body.headers.location, body.router.outcome], ['/redirect/0', 'ok']);
  });

  test('more redirects than browsers follow by themselves', async () => {
    const max = (max_redirects: number) => ({ scraper: 'browser', scraper_options: { max_redirects } });
    const followed = await service.scrape({ url: `${site.url}/redirect/25`, ...max(25) });
    assert.deepEqual(
      [followed.status, followed.body.status_code, followed.body.router.redirects?.length],
      [200, 200, 25],
    );
    const over = await service.scrape({ url: `${site.url}/redirect/26`, ...max(25) });
    assert.deepEqual([over.status, over.body.errors[0]?.code], [502, 'redirect.too_many']);
  });

  test('a body that breaks off is a partial page', async () => {
    const { status, body } = await service.scrape({ url: `${site.url}/close-midway`, scraper: 'browser' });
    assert.deepEqual([status, body.content?.length, body.router.outcome], [200, 500, 'partial']);
    assert.equal(body.errors[0]?.code, 'content.incomplete');
  });

  test('selectors that cannot be read are refused before anything runs', async () => {
    const url = `${site.url}/html/200`;
    site.log.length = 0;
    for (const [request, pointer] of [
      [{ wait_for_selector: 'a[b' }, '/wait_for_selector'],
      [{ wait_for_selector: 'xpath=//a[' }, '/wait_for_selector'],
      [{ wait_for_selector: '//a[@b="c]' }, '/wait_for_selector'],
      [{ wait_for_selector: 'a >> text=b' }, '/wait_for_selector'],
      [{ page_actions: [{ wait: 1 }, { click: ':is(' }] }, '/page_actions/1/click'],
      [
        { page_actions: [{ type: 'click', selector: { type: 'xpath', value: '//a/' } }] },
        '/page_actions/0/selector/value',
      ],
      [
        {
          page_actions: [
            JSON.parse(
              '{"if": {"selector": "#a", "then": [{"type": "click", "selector": "#b", "frame": "c >"}]}}',
            ),
          ],
        },
        '/page_actions/0/then/0/frame',
      ],
    ] as const) {
      const { status, body } = await service.scrape({ url, scraper: 'browser', ...request });
      assert.deepEqual(
        [status, body.errors.map((one) => [one.code, one.pointer])],
        [400, [['request.validation', pointer]]],
        JSON.stringify(request),
      );
    }
    assert.deepEqual(site.log, []);
    const taken = await service.scrape({ url, scraper: 'browser', wait_for_selector: 'p:visible' });
    assert.deepEqual([taken.status, taken.body.errors], [200, []]);
    const unknown = await service.scrape({ url, scraper: 'browser', wait_for_selector: 'p:unheard-of' });
    assert.deepEqual([unknown.status, unknown.body.errors[0]?.code], [200, 'wait.selector_timeout']);
    assert.match(unknown.body.errors[0]!.message, /cannot look for/);
  });
});
