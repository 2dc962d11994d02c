import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, type Routes, startTarget, type Target } from '../../adapters/browser/target.ts';
import { useService } from '../../helpers/service.ts';

const found = await chromiums();
const skip = found.length === 0 && 'there is no Chromium on this machine';
const closed: Routes[string] = (_, response) =>
  void response
    .writeHead(401, { 'www-authenticate': 'Basic realm="r"', 'content-type': 'text/html' })
    .end('<p>sign in');

describe('a server that wants a name and a password', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/closed': closed,
      '/uses': html(
        `<p id=p>a</p><img src="/closed"><iframe src="/closed"></iframe>
        <script>fetch('/closed').then(({ status }) => { p.textContent = 'fetch ' + status; p.className = 'done' })</script>`,
      ),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  for (const type of [...new Set(found.map((one) => one.type))]) {
    test(`${type}: its 401 is the result, without a dialog`, async () => {
      const more = { browser_type: type, scraper: 'browser' };
      const document = await service.scrape({ url: `${target.url}/closed`, ...more });
      assert.deepEqual([document.status, document.body.status_code, document.body.errors], [200, 401, []]);
      const page = await service.scrape({ url: `${target.url}/uses`, wait_for_selector: 'p.done', ...more });
      assert.deepEqual([page.status, page.body.errors], [200, []]);
      assert.match(page.body.content!, /fetch 401/);
    });
  }
});
