import { orAborted } from '../../base/wait.ts';
import { type Failure, failure, isFailure } from '../../domain/failure.ts';
import type { RemoteBrowser, RemoteBrowserState } from '../../domain/remote-browsers.ts';
import { RemoteEndpoint, type RemoteEndpointDeps } from './remote-endpoint.ts';
import type { BrowserLease, BrowserLeaseRequest } from './supervisor.ts';

/** What decides which remote browsers a scrape may use. */
export interface RemoteLeaseRequest extends BrowserLeaseRequest {
  /** The request names no scraper. */
  readonly isAuto: boolean;
  /** The scrape has a proxy, whose credentials no remote browser may see. */
  readonly hasProxy: boolean;
}

export interface RemoteBrowsersDeps extends RemoteEndpointDeps {
  /** null: there is no such user. */
  readonly findUser: (id: string) => { readonly email: string; readonly isAdmin: boolean } | null;
}

/** No remote browser can do the scrape now. */
export interface NoRemoteBrowser {
  readonly remote: null;
  /** Why each of those of the type cannot: sentences without the full stop. */
  readonly reasons: readonly string[];
}

/** The browsers on other machines, by the file of `SLUICE_BROWSERS`. */
export class RemoteBrowsers {
  readonly #deps: RemoteBrowsersDeps;
  #endpoints: readonly RemoteEndpoint[] = [];

  constructor(deps: RemoteBrowsersDeps) {
    this.#deps = deps;
  }

  /** Replaces all browsers. Those that have not changed keep their state; scrapes that are connected may finish. */
  replace(browsers: readonly RemoteBrowser[]): void {
    const known = new Map(this.#endpoints.map((one) => [JSON.stringify(one.remote), one]));
    const next = browsers.map(
      (remote) => known.get(JSON.stringify(remote)) ?? new RemoteEndpoint(remote, this.#deps),
    );
    for (const endpoint of this.#endpoints) if (!next.includes(endpoint)) endpoint.close();
    this.#endpoints = next;
  }

  /** Checks those that were not checked yet. Settles when all are checked. Never rejects. */
  async checkAll(): Promise<void> {
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.checked()));
  }

  /**
   * A lease of the least loaded browser that the scrape may use; guarded ones come first. If one cannot be used now, the next is tried.
   * Waits for a slot of it. Never rejects.
   */
  async lease(request: RemoteLeaseRequest): Promise<BrowserLease | Failure | NoRemoteBrowser> {
    const reasons: string[] = [];
    const candidates: RemoteEndpoint[] = [];
    for (const endpoint of this.#endpoints) {
      if (!endpoint.remote.types.includes(request.type)) continue;
      const refusal = this.#refusal(endpoint.remote, request);
      if (refusal === null) candidates.push(endpoint);
      else reasons.push(`${endpoint.remote.name} ${refusal}`);
    }
    const { signal } = request.deadline;
    await orAborted(Promise.all(candidates.map((one) => one.checked())), signal, () => null);
    const left = new Set(candidates);
    for (;;) {
      const endpoint = best(left, request.headless);
      if (endpoint === null) break;
      left.delete(endpoint);
      const lease = await endpoint.lease(request);
      if (!isFailure(lease) || lease.code !== 'browser.down') return lease;
      reasons.push(lease.message.replace(/^The remote browser (.*)\.$/s, '$1'));
    }
    for (const { remote, health } of left)
      reasons.push(
        health.state === 'down'
          ? `${remote.name} cannot be used: ${health.trouble}`
          : `${remote.name} has no window (headless: false)`,
      );
    return { remote: null, reasons };
  }

  /** Whether a browser of this type is ready, or may be. Settles when that was checked. Never rejects. */
  async offers(type: RemoteBrowser['types'][number], headless: boolean): Promise<boolean> {
    const ofType = this.#endpoints.filter(({ remote }) => remote.types.includes(type));
    await Promise.all(ofType.map((endpoint) => endpoint.checked()));
    return ofType.some((endpoint) => suits(endpoint, headless));
  }

  state(): readonly RemoteBrowserState[] {
    return this.#endpoints.map((endpoint) => endpoint.state());
  }

  close(): void {
    for (const endpoint of this.#endpoints) endpoint.close();
  }

  /** Why the scrape may not use the browser: the rest of a sentence. null: it may. */
  #refusal({ network, users, auto }: RemoteBrowser, request: RemoteLeaseRequest): string | null {
    if (!auto && request.isAuto) return 'is not used by `auto`';
    if (network === 'direct' && request.hasProxy) return 'uses its own network, and the scrape has a proxy';
    if (users === 'all') return null;
    const user = this.#deps.findUser(request.userId);
    const isListed = users === 'admins' ? user?.isAdmin : users.includes(user?.email.toLowerCase() ?? '');
    return isListed === true ? null : 'is not for this user';
  }
}

function suits({ health }: RemoteEndpoint, headless: boolean): boolean {
  return health.state === 'ready' && (headless || !health.headless);
}

/** The one to try first; null: none can be used. */
function best(endpoints: ReadonlySet<RemoteEndpoint>, headless: boolean): RemoteEndpoint | null {
  const rank = ({ remote, load }: RemoteEndpoint) => (remote.network === 'proxied' ? 0 : 1e9) + load;
  const usable = [...endpoints].filter((endpoint) => suits(endpoint, headless));
  return usable.sort((a, b) => rank(a) - rank(b))[0] ?? null;
}

/** The failure of a browser of this machine, with the reasons why no remote one was used. */
export function withRemoteReasons(cause: Failure, reasons: readonly string[]): Failure {
  if (reasons.length === 0 || !cause.code.startsWith('browser.')) return cause;
  // Not `browser.unavailable`: for other scrapes, a remote browser may do.
  return failure('browser.down', `${cause.message} Remote browsers: ${reasons.join('; ')}.`);
}
