import { type BrowserEngineOptions, openBrowserEngine } from '../../browser/engine/browser-engine.ts';
import { driverFor } from '../../browser/engine/driver.ts';
import { scrapeInBrowser } from '../../browser/page/scrape-in-browser.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Driver } from '../../domain/option.ts';
import type { RemoteBrowser } from '../../domain/remote-browsers.ts';
import type { BrowserPhase } from '../../domain/system.ts';
import type { Task } from '../../domain/task.ts';
import type { Egress } from '../../egress/egress.ts';
import type { OpenLogin } from '../../ports/logins.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import type { BrowserMonitor, Scraper } from '../../ports/scraper.ts';
import { BrowserAvailability } from './browser-availability.ts';

export interface BrowserScraperOptions extends BrowserEngineOptions {
  readonly egress: Pick<Egress, 'openGateway' | 'connect' | 'checkTarget' | 'checkName'>;
  /** Reads documents for the action `extract`. */
  readonly reader: PageReader;
  readonly chooseDriver?: (task: Task) => Driver;
  /** Called at the end of each phase of each scrape. */
  readonly openLogin: OpenLogin;
  readonly onPhase: (phase: BrowserPhase, ms: number) => void;
}

export interface BrowserScraper extends Scraper, BrowserMonitor {
  /**
   * To be called after the start of the service: removes files of earlier service processes that were killed, and starts a
   * browser if `warm`. Resolves with the reason if no browser can be used. Never rejects.
   */
  start(warm: boolean): Promise<Failure | null>;
  /** Uses these remote browsers from now on, and begins to check them. */
  useRemoteBrowsers(browsers: readonly RemoteBrowser[]): void;
}

/** The scraper `browser`: a real browser, in which each scrape has its own context, with the listener of its slot as proxy. */
export async function openBrowserScraper(options: BrowserScraperOptions): Promise<BrowserScraper> {
  const { egress, reader, openLogin, chooseDriver = driverFor, onPhase } = options;
  const engine = await openBrowserEngine(options);
  const availability = new BrowserAvailability(engine);
  const deps = { engine, reader, openLogin, checkTarget: egress.checkTarget, chooseDriver, onPhase };
  return {
    name: 'browser',
    fetch: async (request) => availability.learnFrom(request.task, await scrapeInBrowser(request, deps)),
    list: () => engine.list(),
    state: () => availability.state(),
    activity: () => engine.state(),
    waiting: () => engine.state().slots.waiting,
    useRemoteBrowsers: (browsers) => {
      engine.remotes.replace(browsers);
      void engine.remotes.checkAll();
    },
    async start(warm) {
      await engine.removeLeftovers();
      if (warm) await availability.check(null);
      return availability.unavailable();
    },
    unavailable: () => availability.unavailable()?.message ?? null,
    refusal: (task) => availability.refusal(task),
    discover: (task) => availability.check(task),
    close: () => engine.close(),
  };
}
