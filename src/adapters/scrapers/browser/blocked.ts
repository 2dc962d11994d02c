import type { BrowserContext } from 'playwright-core';
import { urlGlob } from '../../../base/url-glob.ts';
import type { BrowserAsk } from '../../../domain/browser-ask.ts';
import { WARNINGS, type Warning } from '../../../domain/failure.ts';
import type { GatewayTrip } from '../../../egress/gateway/gateway.ts';
import { resourceType } from './capture/resource-type.ts';

/** What the caller does not want to be loaded, by type and URL; the documents of frames stay. null: nothing is unwanted. */
export function unwantedOf({ block }: BrowserAsk): ((type: string, url: string) => boolean) | null {
  if (block.types.length === 0 && block.urls.length === 0) return null;
  const types = new Set(block.types);
  const globs = block.urls.map(urlGlob);
  return (type, url) => type !== 'document' && (types.has(type) || globs.some((glob) => glob.matches(url)));
}

/** Keeps it from being loaded, in the full lane. */
export async function blockAsAsked(context: BrowserContext, ask: BrowserAsk): Promise<void> {
  const unwanted = unwantedOf(ask);
  if (unwanted === null) return;
  // Playwright's own globs are regular expressions, which a URL of the page's choice can make run for minutes.
  await context.route('**/*', (route) => {
    const request = route.request();
    return unwanted(resourceType(request.resourceType()), request.url())
      ? route.abort('blockedbyclient')
      : route.fallback();
  });
}

/** The places that a page may not reach, with how often it tried. */
export class Refusals {
  readonly #hosts = new Map<string, number>();
  #count = 0;

  readonly add = ({ host, cause }: GatewayTrip): void => {
    if (cause?.code !== 'policy.address') return;
    this.#count++;
    const name = host ?? '';
    if (this.#hosts.has(name) || this.#hosts.size < MOST_HOSTS)
      this.#hosts.set(name, (this.#hosts.get(name) ?? 0) + 1);
  };

  /** @param except a host that is told otherwise */
  warnings(except: string | null): readonly Warning[] {
    const count = this.#count - (this.#hosts.get(except ?? '') ?? 0);
    if (count === 0) return [];
    const hosts = Array.from(this.#hosts, ([host, count]) => ({ host, count }));
    return [
      {
        code: 'egress.blocked',
        message: `${count} × ${WARNINGS['egress.blocked']}`,
        details: { count, hosts: hosts.filter(({ host }) => host !== except) },
      },
    ];
  }
}

const MOST_HOSTS = 20;
