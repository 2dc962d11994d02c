import { unprivilegedUser } from '../../base/unprivileged-user.ts';
import { portOf } from '../../base/url-patterns.ts';
import type { BrowserType } from '../../domain/browser-options.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { BrowserActivity, InstalledBrowser } from '../../domain/system.ts';
import type { Egress } from '../../egress/egress.ts';
import type { GatewayPolicy, GatewaySlot } from '../../egress/gateway/gateway.ts';
import { SlotSession } from '../../egress/gateway/gateway-session.ts';
import { browsersHome, removeLeftovers } from './browser-folders.ts';
import type { BrowserNetwork } from './browser-network.ts';
import { BrowserBinaries, type BrowserSearchOptions, findBrowsers } from './find-browsers.ts';
import { type FoundBrowser, isOutdated, isSupported, UNSUPPORTED } from './found-browser.ts';
import { launch } from './launch.ts';
import { LinuxPageGovernor } from './linux-page-governor.ts';
import { OperatorTrust, type TrustedTestHosts } from './operator-trust.ts';
import { NO_PAGE_GOVERNOR } from './page-governor.ts';
import {
  RemoteBrowsers,
  type RemoteBrowsersDeps,
  type RemoteLeaseRequest,
  withRemoteReasons,
} from './remote-browsers.ts';
import { type BrowserLease, Supervisor, type SupervisorDeps } from './supervisor.ts';
import { findXvfb } from './virtual-display.ts';

/**
 * The browsers of this machine as the API shows them: without their paths, which concern only the operator.
 * @param runningPath of the browser that scrapes of a type use now; null: none runs
 * @param launchError why the browser at a path did not start; null: it started, or was not tried
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
    // `preferred` is chosen for `headless: true`, so only browsers with a headless mode can come second to it.
    const isSecond = headless && !used && preferred !== undefined;
    const fallbackReason = isSecond ? notPreferredReason(browser, preferred) : browser.reason;
    const reason = isSupported(type) ? (error ?? fallbackReason) : UNSUPPORTED;
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
  const headedNote = browser.headed ? ' (this one is used for headless: false)' : '';
  return `${preferred.version} (${preferred.source}) is preferred: ${why}${headedNote}`;
}

export interface BrowserEngineOptions
  extends Pick<BrowserSearchOptions, 'configured' | 'searchPath' | 'caches'>,
    Pick<SupervisorDeps, 'slots' | 'sandbox' | 'log'>,
    Pick<RemoteBrowsersDeps, 'guard' | 'findUser'> {
  /** Absolute. */
  readonly dataDir: string;
  readonly egress: Pick<Egress, 'openGateway' | 'connect' | 'checkName'>;
  /** Certificate authorities (PEM) trusted besides the browser's own; null: none. */
  readonly ca: readonly string[] | null;
  /** The authority of the test hosts, as PEM, and the hash of their key. */
  readonly testHosts?: TrustedTestHosts | null;
}

export interface BrowserEngine {
  readonly trust: OperatorTrust;
  readonly remotes: RemoteBrowsers;
  /** A remote browser, or one of this machine if no remote one can be used. Waits for a slot of it. Never rejects. */
  lease(request: RemoteLeaseRequest): Promise<BrowserLease | Failure>;
  /**
   * Opens the way to the network for the pages of a lease: the gateway on this machine, or the guard for remote browsers. The caller
   * ends its session before the lease.
   */
  openNetwork(lease: BrowserLease, policy: GatewayPolicy): Promise<BrowserNetwork | Failure>;
  /** As `Supervisor.unavailableFailure`, and no remote browser of the type is ready. */
  unavailableFailure(type: BrowserType, headless: boolean): Promise<Failure | null>;
  state(): ReturnType<Supervisor['state']> & Pick<BrowserActivity, 'remote'>;
  /** All browsers of this machine. The first call takes a second or two. Never rejects. */
  list(): Promise<readonly InstalledBrowser[]>;
  /** Removes the profiles of earlier Sluice processes that were killed. Call it after the start. Never rejects. */
  removeLeftovers(): Promise<void>;
  close(): Promise<void>;
}

/** The browsers of a service. No browser is searched for or started before it is needed. */
export async function openBrowserEngine(options: BrowserEngineOptions): Promise<BrowserEngine> {
  const {
    dataDir,
    configured,
    searchPath,
    caches,
    slots,
    sandbox,
    log,
    egress,
    ca,
    testHosts = null,
  } = options;
  const user = unprivilegedUser();
  const folders = browsersHome(dataDir, user);
  const trust = new OperatorTrust(ca, testHosts, egress.connect, Date.now());
  const gateway = egress.openGateway();
  // The proxy for traffic of browsers outside of pages. Its slot never has a session, so it refuses every connection.
  const { url: proxyServer } = await gateway.openSlot();
  /** By page slot. */
  const gatewaySlots = new Map<number, GatewaySlot>();
  const binaries = new BrowserBinaries(async () => {
    const { noDisplayReason } = await findXvfb(searchPath);
    return findBrowsers({ configured, searchPath, caches, folders, user, noDisplayReason });
  });
  const supervisor = new Supervisor({
    binaries,
    launch: async (found, headless, driver) => {
      const { xvfb } = headless ? { xvfb: null } : await findXvfb(searchPath);
      const { keyHashes: trustedKeyHashes } = trust;
      return launch({ folders, user, sandbox, proxyServer, trustedKeyHashes, xvfb }, found, headless, driver);
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
  const gatewaySlot = async (pageSlot: number): Promise<GatewaySlot | Failure> => {
    try {
      const opened = gatewaySlots.get(pageSlot) ?? (await gateway.openSlot());
      gatewaySlots.set(pageSlot, opened);
      return opened;
    } catch (error) {
      const { message } = error as Error;
      return failure('service.unavailable', `The local proxy for the page cannot be opened: ${message}.`);
    }
  };
  const remotes = new RemoteBrowsers({ guard: options.guard, findUser: options.findUser, log });
  return {
    trust,
    remotes,
    async lease(request) {
      const lease = await remotes.lease(request);
      if (!('reasons' in lease)) return lease;
      const local = await supervisor.lease(request);
      return isFailure(local) ? withRemoteReasons(local, lease.reasons) : local;
    },
    async openNetwork({ remote, slot }, policy) {
      if (remote === null) {
        const opened = await gatewaySlot(slot);
        if (isFailure(opened)) return opened;
        return { gateway: opened.begin(policy), proxy: { server: opened.url }, judgeUrl: null };
      }
      if (remote.network === 'proxied') {
        const { url: server, guard } = options.guard!;
        const { gateway, credentials } = guard.begin(policy);
        return { gateway, proxy: { server, ...credentials }, judgeUrl: null };
      }
      // No client can use this session, so it stays empty.
      const unused = new SlotSession(policy, egress.connect, () => {});
      return {
        gateway: unused,
        proxy: null,
        judgeUrl: (url) => egress.checkName(url.hostname, portOf(url)),
      };
    },
    async unavailableFailure(type, headless) {
      if (await remotes.offers(type, headless)) return null;
      return supervisor.unavailableFailure(type, headless);
    },
    state: () => ({ ...supervisor.state(), remote: remotes.state() }),
    async list() {
      return describeBrowsers(
        await binaries.all(),
        (type) => supervisor.runningPath({ type, headless: true }),
        (path) => binaries.launchFailures.get(path)?.message ?? null,
      );
    },
    async removeLeftovers() {
      try {
        const removed = await removeLeftovers(folders);
        if (removed > 0)
          log('profiles of browsers whose Sluice process was killed were removed', { removed });
      } catch (error) {
        log('profiles of browsers whose Sluice process was killed cannot be removed', {
          why: (error as Error).message,
        });
      }
    },
    async close() {
      remotes.close();
      await supervisor.close();
      await gateway.close();
    },
  };
}
