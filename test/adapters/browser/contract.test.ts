import { after } from 'node:test';
import { METHODS } from '../../../src/domain/job.ts';
import type { Scraper } from '../../../src/ports/scraper.ts';
import { scraperContract } from '../../contracts/scraper.ts';
import { browserScraper, LOOPBACK } from './kit.ts';
import { chromiums } from './stage.ts';

/** The browser starts once for all cases; each still has a context of its own. */
let scraper: Promise<Scraper> | null = null;
const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends) await end();
});

if ((await chromiums()).length > 0)
  scraperContract('browser', {
    open: async (_, ca) => {
      scraper ??= browserScraper({ after: (end) => void ends.push(end as () => unknown) }, LOOPBACK, ca);
      const shared = await scraper;
      return { name: shared.name, fetch: (order) => shared.fetch(order), close: async () => {} };
    },
    traits: {
      methods: METHODS.filter((method) => method !== 'HEAD' && method !== 'OPTIONS'),
      pace: 10,
      many: 8,
      lateMs: 2_000,
    },
    skips: {
      'a coded body that ends too early is told': 'browsers take it for whole, and show what there is',
      'a body on GET is sent, with a warning': 'browsers send no body with GET: it is refused before',
      "the caller's fields go out in their order, as written, repeated where they repeat":
        'a browser has an order of its own and sends each name once: see headers.test.ts',
      "the caller's fields may hold any byte": 'the DevTools protocol takes text, which goes out as UTF-8',
    },
  });
