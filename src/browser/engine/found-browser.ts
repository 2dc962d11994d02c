import { stat } from 'node:fs/promises';
import type { BrowserType } from '../../domain/browser-options.ts';
import { type Failure, failure } from '../../domain/failure.ts';

/** Where a browser was found: see `InstalledBrowser.source`. */
export const BROWSER_SOURCES = ['configured', 'installed', 'playwright', 'package'] as const;
type BrowserSource = (typeof BROWSER_SOURCES)[number];

/** A file that should be a browser, but was not checked yet. */
export interface BrowserCandidate {
  readonly type: BrowserType;
  /** Absolute. */
  readonly path: string;
  readonly source: BrowserSource;
  /** A build without windows. */
  readonly headlessShell: boolean;
  /** Environment variables that it needs. */
  readonly env: Readonly<Record<string, string>>;
  /** null: unknown until the program was run with `--version`. */
  readonly version: string | null;
}

export interface FoundBrowser {
  readonly type: BrowserType;
  readonly path: string;
  readonly source: BrowserSource;
  /** A build without windows, which is several times faster than a full browser. */
  readonly headlessShell: boolean;
  /** `153.0.8010.0`; null: unknown. */
  readonly version: string | null;
  /** Days since it was built, by the timestamp of its file; null: unknown. */
  readonly ageDays: number | null;
  readonly headless: boolean;
  readonly headed: boolean;
  /** Why it cannot be used, or not with windows: part of a sentence for the operator. null: it can. */
  readonly reason: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** Older browsers lack important fixes: Chromium has a new version every four weeks. */
const MAX_AGE_DAYS = 90;
const DAY_MS = 86_400_000;
/** Earlier timestamps are placeholders: reproducible builds use 1970, 1980 or 1985. */
const MIN_PLAUSIBLE_MS = Date.UTC(2015);

/**
 * Days since a program was built, by the timestamp of its file, which package managers preserve. null if the time is implausible. A
 * file that was copied by hand looks younger than it is.
 */
export async function buildAgeDays(path: string, now: number): Promise<number | null> {
  const file = await stat(path).catch(() => null);
  if (file === null || file.mtimeMs < MIN_PLAUSIBLE_MS || file.mtimeMs > now) return null;
  return Math.floor((now - file.mtimeMs) / DAY_MS);
}

/** A browser of unknown age is not outdated. */
export const isOutdated = (ageDays: number | null): boolean => ageDays !== null && ageDays > MAX_AGE_DAYS;

/** The numbers of a version. An unknown version is older than all others. */
const versionNumbers = (version: string | null): readonly number[] =>
  version === null ? [] : version.split('.').map((part) => Number.parseInt(part, 10) || 0);

/** For sorting: the newer version first. */
export function compareNewestFirst(a: string | null, b: string | null): number {
  const [left, right] = [versionNumbers(a), versionNumbers(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (right[index] ?? -1) - (left[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Tells why a requested browser is not available, and which browsers are. */
export function browserUnavailableMessage(
  type: BrowserType,
  headless: boolean,
  all: readonly FoundBrowser[],
): string {
  const wanted = `${type}${headless ? '' : ' with a window (headless: false)'}`;
  const reasons = all.flatMap((browser) => (browser.type === type ? (browser.reason ?? []) : []));
  const why = reasons.length === 0 ? 'it is not installed' : [...new Set(reasons)].join('; ');
  const usable = all.filter(({ headless, headed }) => headless || headed);
  const names = usable.map(
    ({ type, version, headed }) => `${type} ${version}${headed ? '' : ' (headless only)'}`,
  );
  const available = names.length === 0 ? 'none' : names.join(', ');
  return `The browser ${wanted} is not available here: ${why}. Available: ${available}.`;
}

/** The reason for Firefox and WebKit, which do not support CDP. */
export const UNSUPPORTED = 'not available in this version';

export const isSupported = (type: BrowserType): boolean => type !== 'firefox' && type !== 'webkit';

export function unsupportedBrowser(type: BrowserType): Failure | null {
  if (isSupported(type)) return null;
  const message = `${type} is ${UNSUPPORTED}; use chromium, chrome or msedge.`;
  return failure('browser.unavailable', message, { pointer: '/browser_type' });
}
