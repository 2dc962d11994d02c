import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openBrowserScraper } from '../../../src/adapters/scrapers/browser/open-browser-scraper.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { readSurroundings } from '../../../src/config/surroundings.ts';
import { createEgress } from '../../../src/egress/create-egress.ts';
import type { Scraper } from '../../../src/ports/scraper.ts';
import { ROOT } from '../../helpers/repository.ts';

export const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** A scraper that may reach these addresses; closed with the test. */
export async function browserScraper(
  t: Pick<TestContext, 'after'>,
  allow: readonly string[] = LOOPBACK,
): Promise<Scraper> {
  const egress = createEgress({ allow, dnsServers: null, clock: systemClock });
  const { searchPath, ...caches } = readSurroundings();
  const scraper = await openBrowserScraper({
    egress,
    dataDir: join(ROOT, 'node_modules/.cache/sluice'),
    configured: [],
    searchPath,
    caches,
    slots: 2,
    sandbox: true,
    log: () => {},
  });
  t.after(async () => {
    await scraper.close();
    egress.close();
  });
  return scraper;
}
