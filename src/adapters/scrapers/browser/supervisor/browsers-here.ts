import type { BrowserHere } from '../../../../domain/browsers-here.ts';
import { isOld } from '../binary/build-age.ts';
import type { FoundBrowser } from '../binary/found-browser.ts';
import { isDriven, NOT_DRIVEN } from '../driven.ts';

/**
 * The browsers of this machine as callers are told of them: without their paths, which are the operator's business.
 * @param running path of the one that runs for scrapes of a type; null: none runs
 * @param troubleOf why the one at a path does not start; null: it was not tried, or it does
 */
export function browsersHere(
  all: readonly FoundBrowser[],
  running: (type: FoundBrowser['type']) => string | null,
  troubleOf: (path: string) => string | null,
): readonly BrowserHere[] {
  const usedOf = (type: FoundBrowser['type']): FoundBrowser | undefined => {
    const able = all.filter((one) => one.type === type && isDriven(type) && one.headless);
    return (
      able.find(({ path }) => path === running(type)) ?? able.find(({ path }) => troubleOf(path) === null)
    );
  };
  return all.map((one) => {
    const { type, version, ageDays, from, headless, headed, path } = one;
    const preferred = usedOf(type);
    const used = preferred === one;
    const trouble = troubleOf(path);
    const why = !isDriven(type)
      ? NOT_DRIVEN
      : used || !headless || preferred === undefined
        ? (trouble ?? one.reason)
        : (trouble ?? whyNotPreferred(one, preferred));
    const able = isDriven(type) && trouble === null;
    return {
      type,
      version,
      ageDays,
      source: from,
      headless: able && headless,
      headed: able && headed,
      used,
      reason: why,
    };
  });
}

/** For `headless: true`. */
function whyNotPreferred(one: FoundBrowser, preferred: FoundBrowser): string {
  const why =
    preferred.from === 'configured'
      ? 'SLUICE_BROWSER_PATH names it'
      : preferred.shell && !one.shell
        ? 'a headless shell is faster than a full browser'
        : isOld(one.ageDays) && !isOld(preferred.ageDays)
          ? `this build is ${one.ageDays} days old`
          : one.version === preferred.version
            ? 'it is the same version'
            : 'it is newer';
  const rest = one.headed ? ' (this one is used for headless: false)' : '';
  return `${preferred.version} (${preferred.from}) is preferred: ${why}${rest}`;
}
