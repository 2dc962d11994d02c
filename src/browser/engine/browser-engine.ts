import type { BrowserType } from '../../domain/browser-options.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { InstalledBrowser } from '../../domain/system.ts';
import type { Egress } from '../../egress/egress.ts';
import type { GatewaySlot } from '../../egress/gateway/gateway.ts';
import { browsersHome, removeLeftovers } from './browser-folders.ts';
import { BrowserBinaries, type BrowserSearchOptions, findBrowsers } from './find-browsers.ts';
import { type FoundBrowser, isOutdated, isSupported, UNSUPPORTED } from './found-browser.ts';
import { launch } from './launch.ts';
import { LinuxPageGovernor } from './linux-page-governor.ts';
import { OperatorTrust } from './operator-trust.ts';
import { NO_PAGE_GOVERNOR } from './page-governor.ts';
import { browserUser } from './processes.ts';
import { Supervisor, type SupervisorDeps } from './supervisor.ts';
import { findXvfb } from './virtual-display.ts';

/**
 * The browsers of this machine as callers see them: without their paths, which concern only the operator.
 * @param runningPath of the browser that runs for scrapes of a type; null: none runs
 * @param launchError why the browser at a path does not start; null: it does, or was not tried
 */
export function describeBrowsers(
  all: readonly FoundBrowser[],
  runningPath: (type: BrowserType) => string | null,
  launchError: (path: string) => string | null,
): readonly InstalledBrowser[] {
  const usedFor = (type: BrowserType): FoundBrowser | undefined => {
    const usable = all.filter((browser) => browser.type === type && isSupported(type) && browser.headless);
    return (
      usable.find(({ path }) => path === runningPath(type)) ??
      usable.find(({ path }) => launchError(path) === null)
    );
  };
  return all.map((browser) => {
    const { type, version, ageDays, source, headless, headed, path } = browser;
    const preferred = usedFor(type);
    const used = preferred === browser;
    const error = launchError(path);
    const startable = isSupported(type) && error === null;
    // For `headless: true` another browser may be preferred. One without headless mode does not compete.
    const reason = !isSupported(type)
      ? UNSUPPORTED
      : used || !headless || preferred === undefined
        ? (error ?? browser.reason)
        : (error ?? notPreferredReason(browser, preferred));
    return {
      type,
      version,
      ageDays,
      source,
      headless: startable && headless,
      headed: startable && headed,
      used,
      reason,
    };
  });
}

/** Why scrapes with `headless: true` get the other browser. */
function notPreferredReason(browser: FoundBrowser, preferred: FoundBrowser): string {
  const why =
    preferred.source === 'configured'
      ? 'SLUICE_BROWSER_PATH names it'
      : preferred.headlessShell && !browser.headlessShell
        ? 'a headless shell is faster than a full browser'
        : isOutdated(browser.ageDays) && !isOutdated(preferred.ageDays)
          ? `this build is ${browser.ageDays} days old`
          : browser.version === preferred.version
            ? 'it is the same version'
            : 'it is newer';
  const rest = browser.headed ? ' (this one is used for headless: false)' : '';
  return `${preferred.version} (${preferred.source}) is preferred: ${why}${rest}`;
}

export interface BrowserEngineOptions
  extends Pick<BrowserSearchOptions, 'configured' | 'searchPath' | 'caches'>,
    Pick<SupervisorDeps, 'slots' | 'sandbox' | 'log'> {
  /** Absolute. */
  readonly dataDir: string;
  readonly egress: Pick<Egress, 'openGateway' | 'connect'>;
  /** Certificate authorities (PEM) trusted besides the browser's own; null: none. */
  readonly ca: readonly string[] | null;
}

export interface BrowserEngine {
  readonly supervisor: Supervisor;
  readonly trust: OperatorTrust;
  /** The local proxy for the page in this slot of the supervisor. Each page slot has a gateway slot of its own. */
  gatewaySlot(pageSlot: number): Promise<GatewaySlot | Failure>;
  /** All browsers of this machine. The first call takes a second or two. Never rejects. */
  list(): Promise<readonly InstalledBrowser[]>;
  /** Removes what earlier, killed processes of Sluice left behind; to be called after the start. Never rejects. */
  removeLeftovers(): Promise<void>;
  close(): Promise<void>;
}

/** The browsers of a service. No browser is searched for or started before it is needed. */
export async function openBrowserEngine(options: BrowserEngineOptions): Promise<BrowserEngine> {
  const { dataDir, configured, searchPath, caches, slots, sandbox, log, egress, ca } = options;
  const user = browserUser();
  const folders = browsersHome(dataDir, user);
  const trust = new OperatorTrust(ca, egress.connect, Date.now());
  const gateway = egress.openGateway();
  // The proxy of the browser itself. It serves no scrape, so nothing that a browser does outside of a page gets any further.
  const { url: proxyServer } = await gateway.openSlot();
  /** By slot of the supervisor. */
  const gatewaySlots = new Map<number, GatewaySlot>();
  const binaries = new BrowserBinaries(async () => {
    const { noDisplayReason } = await findXvfb(searchPath);
    return findBrowsers({ configured, searchPath, caches, folders, user, noDisplayReason });
  });
  const supervisor = new Supervisor({
    binaries,
    launch: async (found, headless, driver) => {
      const { xvfb } = headless ? { xvfb: null } : await findXvfb(searchPath);
      const { keyHash: trustedKeyHash } = trust;
      return launch({ folders, user, sandbox, proxyServer, trustedKeyHash, xvfb }, found, headless, driver);
    },
    prefersSlot: (pageSlot, browser) => {
      const url = gatewaySlots.get(pageSlot)?.url;
      return url !== undefined && 'hasPreparedPage' in browser && browser.hasPreparedPage(url);
    },
    governor: process.platform === 'linux' ? new LinuxPageGovernor() : NO_PAGE_GOVERNOR,
    log,
    slots,
    sandbox,
  });
  return {
    supervisor,
    trust,
    async gatewaySlot(pageSlot) {
      try {
        const opened = gatewaySlots.get(pageSlot) ?? (await gateway.openSlot());
        gatewaySlots.set(pageSlot, opened);
        return opened;
      } catch (error) {
        const { message } = error as Error;
        return failure('service.unavailable', `The gateway cannot be opened: ${message}.`);
      }
    },
    async list() {
      return describeBrowsers(
        await binaries.all(),
        (type) => supervisor.runningPath(type, true),
        (path) => binaries.launchFailures.get(path)?.message ?? null,
      );
    },
    async removeLeftovers() {
      try {
        const removed = await removeLeftovers(folders);
        if (removed > 0) log('browser profiles of killed Sluice processes were removed', { removed });
      } catch (error) {
        log('browser profiles of killed Sluice processes cannot be removed', {
          why: (error as Error).message,
        });
      }
    },
    async close() {
      await supervisor.close();
      await gateway.close();
    },
  };
}
