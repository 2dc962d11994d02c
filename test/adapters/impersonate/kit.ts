import type { TestContext } from 'node:test';
import { loadBinding } from '../../../src/adapters/scrapers/impersonate/binding.ts';
import { createImpersonateScraper } from '../../../src/adapters/scrapers/impersonate/create-impersonate-scraper.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createEgress } from '../../../src/egress/create-egress.ts';
import type { Scraper } from '../../../src/ports/scraper.ts';

/** Why there is nothing to try here; false: there is. */
export const noBinding: string | false = loadBinding().reason ?? false;

/** A scraper that may reach loopback; closed with the test. */
export function impersonateScraper(t: TestContext, ca: readonly string[] | null = null): Scraper {
  const allow = ['127.0.0.0/8', '::1/128'];
  const egress = createEgress({ allow, dnsServers: null, clock: systemClock });
  const scraper = createImpersonateScraper({ egress, ca, clock: systemClock });
  t.after(async () => {
    await scraper.close();
    egress.close();
  });
  return scraper;
}
