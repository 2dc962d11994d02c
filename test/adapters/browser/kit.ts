import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createPageReader } from '../../../src/adapters/reader/page-reader.ts';
import { systemClock } from '../../../src/base/time.ts';
import { readMachinePaths } from '../../../src/config/machine.ts';
import { failure } from '../../../src/domain/failure.ts';
import type { Driver } from '../../../src/domain/option.ts';
import type { Task } from '../../../src/domain/task.ts';
import { createEgress } from '../../../src/egress/egress.ts';
import type { OpenLogin } from '../../../src/ports/logins.ts';
import type { Scraper } from '../../../src/ports/scraper.ts';
import { openBrowserScraper } from '../../../src/scrapers/browser/open-browser-scraper.ts';
import { ROOT } from '../../helpers/repository.ts';

export const LOOPBACK = ['127.0.0.0/8', '::1/128'];

export interface ScraperChange {
  readonly configured?: readonly { readonly type: 'chromium'; readonly path: string }[];
  readonly openLogin?: OpenLogin;
  readonly chooseDriver?: (task: Task) => Driver;
}

const NO_LOGIN: OpenLogin = async () => failure('profile.unknown', 'There are no profiles here.');

/** A scraper that may reach these addresses; closed with the test. */
export async function browserScraper(
  t: Pick<TestContext, 'after'>,
  allow: readonly string[] = LOOPBACK,
  ca: readonly string[] | null = null,
  { configured = [], chooseDriver, openLogin = NO_LOGIN }: ScraperChange = {},
): Promise<Scraper> {
  const egress = createEgress({ allow, dnsServers: null, clock: systemClock });
  const reader = createPageReader({
    memoryBytes: 2 ** 28,
    onError: (error) => {
      throw error;
    },
  });
  const { searchPath, ...caches } = readMachinePaths();
  const scraper = await openBrowserScraper({
    egress,
    ca,
    reader,
    dataDir: join(ROOT, 'node_modules/.cache/sluice'),
    configured,
    searchPath,
    caches,
    slots: 2,
    sandbox: true,
    guard: null,
    findUser: () => null,
    openLogin,
    log: () => {},
    onPhase: () => {},
    ...(chooseDriver === undefined ? {} : { chooseDriver }),
  });
  t.after(async () => {
    await scraper.close();
    await reader.close();
    egress.close();
  });
  return scraper;
}
