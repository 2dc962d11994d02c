import type { BrowserHere } from '../../../../domain/browsers-here.ts';
import { Binaries } from '../binary/binaries.ts';
import { browsersHome } from '../binary/browsers-home.ts';
import { findBrowsers, type SearchParts } from '../binary/find-browsers.ts';
import { browserUser } from '../launch/browser-user.ts';
import { launch } from '../launch/launch.ts';
import { removeLeftovers } from '../launch/remove-leftovers.ts';
import { findXvfb } from '../launch/virtual-display.ts';
import { browsersHere } from './browsers-here.ts';
import type { KeeperParts } from './kept-browser.ts';
import { Supervisor } from './supervisor.ts';

export interface BrowserParts {
  /** Absolute. */
  readonly dataDir: string;
  readonly configured: SearchParts['configured'];
  readonly searchPath: readonly string[];
  readonly caches: SearchParts['caches'];
  readonly slots: number;
  readonly sandbox: boolean;
  /** Where all that a browser does on its own, outside of a scrape, has to go through. */
  readonly proxyServer: string;
  /** Hash of a public key of this process, whose certificates Chromium takes; null: none. */
  readonly ownKeyHash: string | null;
  readonly log: KeeperParts['log'];
}

export interface Browsers {
  readonly supervisor: Supervisor;
  /** All of this machine; the first who asks waits a second or two. Never rejects. */
  here(): Promise<readonly BrowserHere[]>;
  /** Removes what killed services left; for the time after the start. Never rejects. */
  sweep(): Promise<void>;
}

/** The browsers of a service. Nothing is looked for, loaded or started before somebody needs it. */
export function openBrowsers(parts: BrowserParts): Browsers {
  const { dataDir, configured, searchPath, caches, slots, sandbox, proxyServer, ownKeyHash, log } = parts;
  const user = browserUser();
  const folders = browsersHome(dataDir, user);
  const binaries = new Binaries(async () => {
    const { noDisplay } = await findXvfb(searchPath);
    return findBrowsers({ configured, searchPath, caches, folders, user, noDisplay });
  });
  const supervisor = new Supervisor({
    binaries,
    launch: async (found, headless, lane) => {
      const { xvfb } = headless ? { xvfb: null } : await findXvfb(searchPath);
      return launch({ folders, user, sandbox, proxyServer, ownKeyHash, xvfb }, found, headless, lane);
    },
    log,
    slots,
    sandbox,
  });
  return {
    supervisor,
    async here() {
      const all = await binaries.all();
      return browsersHere(
        all,
        (type) => supervisor.runningPath(type, true),
        (path) => supervisor.troubleOf(path),
      );
    },
    async sweep() {
      try {
        const removed = await removeLeftovers(folders);
        if (removed > 0) log('profiles of killed services were removed', { removed });
      } catch (error) {
        log('profiles of killed services cannot be removed', { why: (error as Error).message });
      }
    },
  };
}
