import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { act, statuses } from '../../end-to-end/acting.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('networkidle, where something keeps the document from being loaded', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/hangs': html('<p id=p>x</p><img src=/never>'),
      '/never': () => {},
    });
  });
  after(() => target[Symbol.asyncDispose]());

  // A request with a locale takes the driver playwright.
  for (const [driver, scraper_options] of Object.entries({ cdp: {}, playwright: { locale: 'de-DE' } }))
    test(`it ends after 10 s with a warning (driver ${driver})`, async () => {
      const { status, body } = await service.scrape({
        url: `${target.url}/hangs`,
        scraper: 'browser',
        wait_for_load_state: 'networkidle',
        scraper_options,
        timeout_ms: 25_000,
      });
      assert.deepEqual([status, body.errors, body.router.outcome], [200, [], 'ok']);
      // The whole time includes the start of a browser.
      const { load } = body.router.timing!;
      assert.ok(load! > 9_500 && load! < 12_000, `${load} ms`);
      assert.match(body.content!, /id="p">x/);
      const told = body.router.warnings.find(({ code }) => code === 'wait.networkidle_timeout');
      assert.match(told?.message ?? '', /^The network did not become idle in time; still open: .+\.$/);
    });

  test('the action, too', async () => {
    const acted = await act(
      service,
      `${target.url}/hangs`,
      [{ wait_for_load_state: 'networkidle' }, { evaluate: '1' }],
      { wait_for_load_state: 'commit', timeout_ms: 25_000 },
    );
    assert.deepEqual([acted.body.errors, statuses(acted)], [[], ['ok', 'ok']]);
    assert.ok(acted.actions[0]!.duration_ms < 12_000);
    assert.ok(acted.body.router.warnings.some(({ code }) => code === 'wait.networkidle_timeout'));
    const short = await act(
      service,
      `${target.url}/hangs`,
      [{ type: 'wait_for_load_state', state: 'networkidle', timeout_ms: 500 }],
      { wait_for_load_state: 'commit' },
    );
    assert.deepEqual(statuses(short), ['failed']);
  });
});
