import { after, before } from 'node:test';
import { type Site, type SiteOptions, startSite } from '../site/site.ts';

/** Starts the test site for all tests of the calling `describe`. Its members can only be read inside of tests. */
export function useSite(options: SiteOptions = {}): Site {
  let started: Site | undefined;
  before(async () => {
    started = await startSite(options);
  });
  after(() => started?.close());
  return new Proxy({} as Site, { get: (_, name) => Reflect.get(started!, name) });
}
