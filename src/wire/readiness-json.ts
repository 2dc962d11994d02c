import type { BrowsersState } from '../domain/browsers-here.ts';

const NO_SANDBOX =
  'Browsers run without their sandbox (SLUICE_BROWSER_SANDBOX=off): a page that breaks one has the rights of its user.';
const SMALL_SHM =
  'Browsers draw in files, which is slower: there is too little shared memory. Give /dev/shm 512 MB or more (shm_size).';
const WORDS: Readonly<Record<BrowsersState['state'], string | null>> = {
  ready: null,
  unknown: null,
  unavailable: 'No scrape can have a browser here; GET /api/v1/scrapers/ says why.',
  down: 'A browser that is installed does not start; the log says why.',
};

/** The body of `/readyz` while the service takes requests: whoever asks has no key, so that it names no paths. */
export function readinessJson({ state, sandbox, smallShm, outdatedDays }: BrowsersState) {
  const outdated =
    outdatedDays === null
      ? null
      : `The headless browser in use was built ${outdatedDays} days ago: update Sluice, or install chromium-headless-shell.`;
  const warnings = [
    sandbox === 'off' ? NO_SANDBOX : null,
    smallShm ? SMALL_SHM : null,
    outdated,
    WORDS[state],
  ].filter((one) => one !== null);
  // What should work and does not: it still takes requests.
  return { status: state === 'down' ? 'degraded' : 'ok', browser: { state, sandbox }, warnings };
}
