import type { TestContext } from 'node:test';
import { systemClock } from '../../../src/base/time.ts';
import { createEgress } from '../../../src/egress/egress.ts';
import type { Scraper } from '../../../src/ports/scraper.ts';
import { createHttpScraper } from '../../../src/scrapers/http/create-http-scraper.ts';

/** A scraper that may reach loopback; closed with the test. */
export function httpScraper(t: TestContext, ca: readonly string[] | null = null): Scraper {
  const allow = ['127.0.0.0/8', '::1/128'];
  const egress = createEgress({ allow, dnsServers: null, clock: systemClock });
  const scraper = createHttpScraper({ egress, userAgent: 'Sluice/0.0.0-test', ca, clock: systemClock });
  t.after(async () => {
    await scraper.close();
    egress.close();
  });
  return scraper;
}
