import { after, before, describe, test } from 'node:test';
import { browserProcessesOf, chromiums } from '../../adapters/browser/stage.ts';
import { startTarget, type Target } from '../../adapters/browser/target.ts';
import { fuzzPages } from '../../end-to-end/hostile/fuzz.ts';
import { script } from '../../end-to-end/hostile/kind.ts';
import { routesOf, slug } from '../../end-to-end/hostile/site.ts';
import { eventually, useOwnService } from '../../helpers/service.ts';

const LONG = process.env.LONG === '1';
const AT_ONCE = 4;
const REST_MS = 30_000;

const skip = process.platform !== 'linux' || (await chromiums()).length === 0;

describe('browsers without scrapes', {
  skip: skip && 'there is no Chromium on this machine, or no /proc',
}, () => {
  const asks = { name: 'asks', page: script('for (let n = 0; n < 13; n++) alert(n)') };
  const kinds = [asks, ...fuzzPages(LONG ? 300 : 4, 6)];
  const service = useOwnService({ SLUICE_BROWSER_SLOTS: String(AT_ONCE) });
  let target: Target;
  /** Another host: it is not set apart with the first. */
  let other: Target;
  before(async () => {
    target = await startTarget(routesOf(kinds));
    other = await startTarget(routesOf([]));
  });
  after(async () => {
    await target[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  const count = (type = '') =>
    browserProcessesOf(service.pid).filter(({ line }) => line.includes(type)).length;

  const scrape = (url: string) => service.scrape({ url, scraper: 'browser', timeout_ms: 5_000 });

  test('have no more processes than before hostile pages', async (t) => {
    await service.scrape({ url: `${other.url}/calm`, scraper: 'browser' });
    await eventually(() => count('--type=renderer') === 1);
    const calm = count();
    const rest = [...kinds];
    const face = async () => {
      for (let kind = rest.shift(); kind !== undefined; kind = rest.shift())
        await scrape(target.url + slug(kind.name));
      await scrape(`${other.url}/calm`);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, face));
    t.diagnostic(`${calm} processes before, ${count()} at the end`);
    await eventually(() => count() <= calm, REST_MS);
  });
});
