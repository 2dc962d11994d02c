import { DEFAULT_BROWSER_OPTIONS } from '../../src/domain/browser-options.ts';
import { DEFAULT_PROXY_OPTIONS } from '../../src/domain/proxy.ts';
import { DEFAULT_SCRAPER_OPTIONS } from '../../src/domain/scraper-options.ts';
import type { RouterOptions, Task } from '../../src/domain/task.ts';

/** A task with the default of every option, except for the members that are given. */
export function task(
  members: Partial<Omit<Task, 'router'>> & { router?: Partial<RouterOptions> } = {},
): Task {
  return {
    url: 'http://example.com/',
    host: 'example.com',
    method: 'GET',
    headers: [],
    cookies: [],
    body: null,
    isProxied: false,
    isRelayed: false,
    timeoutMs: 60_000,
    allowRedirects: true,
    requested: [],
    browser: DEFAULT_BROWSER_OPTIONS,
    scraper: 'auto',
    options: DEFAULT_SCRAPER_OPTIONS,
    template: null,
    proxyType: 'datacenter',
    proxy: DEFAULT_PROXY_OPTIONS,
    finds: null,
    requestJson: () => '{}',
    ...members,
    router: {
      sort: 'balanced',
      escalateProxy: [],
      forwardCredentials: false,
      order: [],
      only: [],
      ignore: [],
      allowFallbacks: true,
      maxAttempts: null,
      accept: null,
      onBlocked: 'return',
      maxCost: null,
      robots: 'ignore',
      dryRun: false,
      trace: true,
      tags: {},
      retain: 'full',
      webhook: null,
      notify: null,
      compareTo: null,
      ...members.router,
    },
  };
}
