import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { useRemoteCli } from './remote-cli.ts';

const PNG = '89504e470d0a1a0a';

describe('sluice scrape --screenshot', () => {
  const { service, folder, run, site } = useRemoteCli();
  const signature = (name: string) => readFileSync(join(folder, name)).subarray(0, 8).toString('hex');

  test('FILE gets the picture, of a remote service and of this process', async () => {
    const args = ['scrape', `${site().url}/a`, '--screenshot', 'a.png', '--format', 'markdown'];
    const there = await run(args);
    assert.deepEqual([there.code, there.stderr], [0, '']);
    assert.match(there.stdout, /^# A\n/);
    assert.equal(signature('a.png'), PNG);
    const env = { SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8', SLUICE_PASSWORD_COST: '10' };
    const jpeg = ['--scraper_options.screenshot.type', 'jpeg', '--local'];
    const here = await run(['scrape', `${site().url}/a`, '--screenshot', 'b.jpg', ...jpeg], { env });
    assert.equal(here.code, 0, here.stderr);
    assert.equal(signature('b.jpg').slice(0, 6), 'ffd8ff');
    // With the record in the data folder of a service that runs.
    const stored = await service.cli(['scrape', `${site().url}/a`, '--screenshot', join(folder, 'c.png')]);
    assert.equal(stored.code, 0, stored.stderr);
    assert.equal(signature('c.png'), PNG);
  });

  test('true is a member of the request; without a picture there is no file', async () => {
    const member = await run(['scrape', `${site().url}/a`, '--screenshot', 'true']);
    assert.match(JSON.parse(member.stdout).screenshot_url, /^http.*\/screenshot\/?\?expires=/);
    assert.ok(!existsSync(join(folder, 'true')));
    const failed = await run(['scrape', 'http://127.0.0.1:1/', '--screenshot', 'none.png']);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /^sluice: there is no screenshot, so none\.png was not written\n/);
    assert.ok(!existsSync(join(folder, 'none.png')));
  });
});
