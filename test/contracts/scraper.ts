import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { METHODS } from '../../src/domain/task.ts';
import type { Scraper } from '../../src/ports/scraper.ts';
import { type Site, startSite } from '../site/site.ts';
import { endingRules } from './scraper-endings.ts';
import { messageRules } from './scraper-messages.ts';
import { redirectRules } from './scraper-redirects.ts';
import type { Rule, Traits } from './scraper-rule.ts';

export interface ScraperUnderTest {
  /** May reach loopback, trusts these certificates; closed with the test. */
  readonly open: (t: TestContext, ca: readonly string[]) => Scraper | Promise<Scraper>;
  readonly traits?: Traits;
  /** How the site is spoken to: in the clear (default), or by TLS in one version of HTTP. */
  readonly over?: Over;
  /** Cases that this scraper does not run, by title, with the reason. */
  readonly skips?: Readonly<Record<string, string>>;
}

export type Over = 'http' | 'https/1.1' | 'https/2';

export const PLAIN: Traits = { methods: METHODS, pace: 1, many: 60, lateMs: 500 };
const CASES: Rule[] = [];
for (const rules of [messageRules, redirectRules, endingRules]) {
  rules((title, run) => CASES.push({ title, run }));
}

/** What every scraper must keep, tried on the fixture site. */
export function scraperContract(
  name: string,
  { open, traits = PLAIN, over = 'http', skips = {} }: ScraperUnderTest,
): void {
  describe(`scraper contract: ${name} over ${over}`, () => {
    let site: Site;
    before(async () => {
      site = await startSite({ tls: true });
    });
    after(() => site.close());
    for (const { title, run } of CASES) {
      const skip = skips[title] ?? false;
      test(title, { skip }, async (t) => {
        site.log.length = 0;
        const scraper = await open(t, [site.ca!]);
        await run(spoken(scraper, over), reached(site, over), traits);
        await scraper.close();
        await settled(site);
      });
    }
    test('no case is skipped that there is not', () => {
      const titles = new Set(CASES.map(({ title }) => title));
      assert.deepEqual(
        Object.keys(skips).filter((title) => !titles.has(title)),
        [],
      );
    });
  });
}

/** The same site by TLS, at the address that its certificate has beside its name. */
function reached(site: Site, over: Over): Site {
  return over === 'http' ? site : { ...site, url: site.httpsUrl!.replace('localhost', '127.0.0.1') };
}

/** The same scraper, told which version of HTTP to speak. */
function spoken(scraper: Scraper, over: Over): Scraper {
  if (over === 'http') return scraper;
  return {
    ...scraper,
    fetch: ({ task, ...order }) =>
      scraper.fetch({ ...order, task: { ...task, options: { ...task.options, http2: over === 'https/2' } } }),
  };
}

/** After `close()` nothing stays open at the site. */
async function settled(site: Site): Promise<void> {
  for (let i = 0; i < 200 && site.connections() > 0; i++) await sleep(10);
  assert.equal(site.connections(), 0, 'connections are left open');
}
