import { after, before } from 'node:test';
import { type Site, type SiteOptions, startSite } from '../site/site.ts';

/** A fixture site for all tests of the `describe` that calls it; its members may be read inside of tests only. */
export function useSite(options: SiteOptions = {}): Site {
  let started: Site | undefined;
  before(async () => {
    started = await startSite(options);
  });
  after(() => started?.close());
  return new Proxy({} as Site, { get: (_, name) => Reflect.get(started!, name) });
}
