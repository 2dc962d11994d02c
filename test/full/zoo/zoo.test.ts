import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { useService } from '../../helpers/service.ts';
import { KINDS } from '../../zoo/kinds.ts';
import { type RunningSite, startKind } from '../../zoo/start-kind.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const BLOCKED = ['challenge', 'captcha', 'block', 'wall'];
const PLAIN = ['http', 'http_impersonate'];
const MOST = 6;
const SETTLED_BY = 3;

/** Sites that treat their visitors each in a way of its own, by the front door and with the real scrapers. */
describe('the zoo of defences', { skip }, () => {
  const service = useService();
  const sites = new Map<string, RunningSite>();
  before(async () => {
    for (const [name, kind] of Object.entries(KINDS)) sites.set(name, await startKind(kind));
  });
  after(async () => {
    for (const site of sites.values()) await site[Symbol.asyncDispose]();
  });

  const asking = async (name: string, scraper: string, item: number) =>
    service.scrape({
      url: `${sites.get(name)!.url}/goods/${item}`,
      scraper,
      scraper_options: { verify_tls: false },
      router: scraper === 'auto' ? { max_attempts: MOST } : {},
    });

  for (const [name, kind] of Object.entries(KINDS)) {
    const { content } = kind;
    const times = content === null ? 1 : SETTLED_BY;
    test(`${name}: ${content === null ? 'is named' : `the content, by request ${SETTLED_BY} in the first attempt`}`, async () => {
      for (let time = 1; time <= times; time++) {
        const { status, body } = await asking(name, 'auto', time);
        const way = body.router.attempts?.map(({ scraper, verdict }) => `${scraper}: ${verdict}`).join(', ');
        assert.equal(status, 200, way);
        assert.ok(body.router.attempts!.length <= MOST, way);
        if (content === null) assert.equal(body.router.verdict?.kind, kind.http, way);
        else {
          assert.match(body.content ?? '', content, `request ${time}: ${way}`);
          assert.equal(body.router.outcome, 'ok', `request ${time}: ${way}`);
          assert.equal(body.router.verdict?.kind, 'ok', way);
          if (kind.http === 'ok') {
            const cheap = body.router.attempts!.every(({ scraper }) => PLAIN.includes(scraper));
            assert.ok(cheap, `no browser where plain HTTP has it all: ${way}`);
          }
          if (time >= SETTLED_BY) assert.equal(body.router.attempts!.length, 1, `request ${time}: ${way}`);
        }
      }
    });

    test(`${name}: plain HTTP is told what it is`, async () => {
      const { body } = await asking(name, 'http', 9);
      assert.equal(body.router.verdict?.kind, kind.http);
      assert.equal(body.errors[0]?.code === 'target.blocked', BLOCKED.includes(kind.http));
      assert.equal(body.router.outcome === 'blocked', BLOCKED.includes(kind.http));
    });
  }
});
