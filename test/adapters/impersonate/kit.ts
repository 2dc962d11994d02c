import type { TestContext } from 'node:test';
import { systemClock } from '../../../src/base/time.ts';
import { createEgress } from '../../../src/egress/egress.ts';
import type { Scraper } from '../../../src/ports/scraper.ts';
import { createImpersonateScraper } from '../../../src/scrapers/impersonate/create-impersonate-scraper.ts';
import { loadBinding } from '../../../src/scrapers/impersonate/native-binding.ts';

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
