import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { closedPort } from '../../egress/loopback.ts';
import { act, statuses, textIn } from '../../end-to-end/acting.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('requests of a page that get no response', { skip }, () => {
  const service = useService();
  let target: Target;
  let closed = '';
  before(async () => {
    closed = `127.0.0.1:${await closedPort()}`;
    const asks = (from: string) =>
      html(`<p id=told>…</p><script>
      const told = document.getElementById('told');
      fetch("${from}/z", { mode: 'no-cors' }).then(
        (answer) => { told.textContent = 'answer ' + answer.status; },
        (error) => { told.textContent = error.message; },
      ).then(() => { told.className = 'done'; });
    </script>`);
    target = await startTarget({
      '/asks': asks(`http://${closed}`),
      '/asks-tls': asks(`https://${closed}`),
      '/asks-forbidden': asks('http://10.0.0.1'),
      '/leads': html(`<script>onload = () => { location = "http://${closed}/" }</script>`),
      '/page': html('<p>page</p>'),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  test('have no response in `network[]`, nor for the page', async () => {
    for (const path of ['/asks', '/asks-tls', '/asks-forbidden']) {
      const { body } = await service.scrape({
        url: target.url + path,
        scraper: 'browser',
        wait_for_selector: '.done',
        scraper_options: { capture: [{ url: '**/z', body: true }] },
      });
      const { network } = body.scraper_data as { network: Record<string, unknown>[] };
      assert.deepEqual(
        network.map(({ status, headers, body, truncated }) => [status, headers, body, truncated]),
        [[null, {}, null, false]],
        path,
      );
      assert.equal(textIn(body.content!, 'told'), 'Failed to fetch');
      assert.deepEqual([body.router.outcome, body.errors], ['ok', []]);
      const refused = body.router.warnings.find(({ code }) => code === 'egress.blocked');
      assert.equal(refused?.details?.count, path === '/asks-forbidden' ? 1 : undefined);
    }
  });

  test('do not match `wait_for_response`', async () => {
    const acted = await act(service, `${target.url}/asks`, [
      { type: 'wait_for_response', url: '**/z', timeout_ms: 300, on_error: 'continue' },
    ]);
    assert.deepEqual(statuses(acted), ['failed']);
  });

  test('a document that is refused has the same error code, whatever started the navigation', async () => {
    for (const url of [`http://${closed}/`, `https://${closed}/`, `${target.url}/leads`]) {
      const { status, body } = await service.scrape({ url, scraper: 'browser' });
      assert.deepEqual([status, body.code], [502, 'connect.refused'], url);
    }
    const acted = await act(service, `${target.url}/page`, [
      { type: 'goto', url: `http://${closed}/`, on_error: 'continue' },
    ]);
    assert.match(acted.actions[0]!.error!.message, /refused/);
    assert.match(acted.content, /<p>page<\/p>/);
  });
});
