import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { useOwnService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

interface Listed {
  readonly items: readonly { name: string; available: boolean; reason: string | null }[];
  readonly browsers: { readonly items: readonly { version: string | null; used: boolean }[] };
}

const [chromium] = await chromiums();
const skip = chromium === undefined && 'there is no Chromium on this machine';

describe('SLUICE_BROWSER_WARM=false: no browser starts that no scrape needs', { skip }, () => {
  const site = useSite();
  let home = '';
  let program = '';
  let asked = '';
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'sluice-cold-'));
    [program, asked] = [join(home, 'chromium'), join(home, 'asked')];
    // Browsers may run as somebody else.
    chmodSync(home, 0o755);
    writeFileSync(asked, '');
    chmodSync(asked, 0o666);
    writeFileSync(program, `#!/bin/sh\necho "$*" >>'${asked}'\nexec '${chromium?.path}' "$@"\n`);
    chmodSync(program, 0o755);
  });
  after(() => rmSync(home, { recursive: true, force: true }));
  const service = useOwnService(() => ({ SLUICE_BROWSER_WARM: 'false', SLUICE_BROWSER_PATH: program }));
  /** Number of starts, without those that only print the version. */
  const starts = () =>
    readFileSync(asked, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && line !== '--version').length;
  const state = async () => {
    const { browser } = (await (await fetch(`${service.base}/readyz`)).json()) as {
      readonly browser: { readonly state: string };
    };
    return browser.state;
  };

  test('the list of scrapers does not start one', async () => {
    const { status, body } = await service.api<Listed>('GET', '/api/v1/scrapers/');
    assert.equal(status, 200);
    const browser = body.items.find(({ name }) => name === 'browser');
    assert.deepEqual([browser?.available, browser?.reason], [true, null]);
    assert.equal(body.browsers.items.filter(({ used }) => used).length, 1);
    assert.deepEqual([starts(), await state()], [0, 'unknown']);
  });

  test('an HTTP scraper that refuses a browser option does not start one', async () => {
    const { status, body } = await service.scrape({
      url: `${site.url}/text`,
      scraper: 'http',
      screenshot: true,
    });
    assert.deepEqual([status, body.code, starts()], [422, 'scraper.unsupported_option', 0]);
    const words = ['scrape', `${site.url}/text`, '--scraper', 'http', '--screenshot', 'true'];
    const { code, stderr } = await service.cli(words);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /scraper\.unsupported_option: .*screenshot/);
    assert.equal(starts(), 0);
  });

  test('a scrape that needs one starts it', async () => {
    const { status, body } = await service.scrape({ url: `${site.url}/html/500`, scraper: 'browser' });
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(starts() > 0);
    assert.equal(await state(), 'ready');
  });
});
