import type { BrowserType } from './browser-options.ts';

export const REMOTE_KINDS = ['cdp', 'playwright'] as const;
/** `cdp`: a Chromium with a debugging port, or a pool of them; `playwright`: a server of Playwright. */
export type RemoteKind = (typeof REMOTE_KINDS)[number];

export const REMOTE_NETWORKS = ['proxied', 'direct'] as const;
/** `proxied`: pages reach the network through our guard only; `direct`: through the network of the remote browser. */
export type RemoteNetwork = (typeof REMOTE_NETWORKS)[number];

/** A browser on another machine, as the file of `SLUICE_BROWSERS` describes it. */
export interface RemoteBrowser {
  readonly name: string;
  readonly kind: RemoteKind;
  /** May contain credentials. */
  readonly url: string;
  /** Sent with the connection, such as an `Authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** How many scrapes may be connected to it at once. */
  readonly slots: number;
  readonly types: readonly BrowserType[];
  readonly network: RemoteNetwork;
  /** Who may use it: everybody, administrators, or the users with these e-mail addresses (lower case). */
  readonly users: 'all' | 'admins' | readonly string[];
  /** Whether `scraper: auto` may use it. */
  readonly auto: boolean;
}

/** A remote browser, for operators. Its URL and headers are not shown. */
export interface RemoteBrowserState
  extends Pick<RemoteBrowser, 'name' | 'kind' | 'types' | 'network' | 'users' | 'auto'> {
  /** `unknown`: not tried yet. `down`: the last try failed; it is tried again later. */
  readonly state: 'ready' | 'unknown' | 'down';
  /** Why it is down; null: it is not. */
  readonly trouble: string | null;
  /** Version of the browser at the last successful try; null: there was none. */
  readonly version: string | null;
  readonly slots: { readonly total: number; readonly busy: number; readonly waiting: number };
  /** Scrapes that were connected to it, and connections that failed, since the start of the service. */
  readonly served: number;
  readonly failures: number;
}
