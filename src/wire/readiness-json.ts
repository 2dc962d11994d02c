import type { BrowserReadiness } from '../domain/system.ts';

const NO_SANDBOX =
  'Browsers run without their sandbox (SLUICE_BROWSER_SANDBOX=off): a page that exploits the browser has the permissions of its user.';
const SMALL_SHM =
  'Browsers use files instead of shared memory, which is slower. Give /dev/shm 512 MB or more (shm_size).';
const STATE_WARNINGS: Readonly<Record<BrowserReadiness['state'], string | null>> = {
  ready: null,
  unknown: null,
  unavailable: 'No browser is available here; GET /api/v1/scrapers/ says why.',
  down: 'An installed browser does not start; the log says why.',
};

/** The body of `/readyz` while the service takes requests: whoever asks has no key, so that it names no paths. */
export function readinessJson({ state, sandbox, smallShm, outdatedDays }: BrowserReadiness) {
  const outdated =
    outdatedDays === null
      ? null
      : `The headless browser in use was built ${outdatedDays} days ago: update Sluice, or install chromium-headless-shell.`;
  const warnings = [
    sandbox === 'off' ? NO_SANDBOX : null,
    smallShm ? SMALL_SHM : null,
    outdated,
    STATE_WARNINGS[state],
  ].filter((one) => one !== null);
  // What should work and does not: it still takes requests.
  return { status: state === 'down' ? 'degraded' : 'ok', browser: { state, sandbox }, warnings };
}
