import { stat } from 'node:fs/promises';
import { type Failure, failure } from '../../domain/failure.ts';

export const BROWSER_TYPES = ['chromium', 'firefox', 'webkit', 'chrome', 'msedge'] as const;
export type BrowserType = (typeof BROWSER_TYPES)[number];

/** Where a browser was found. */
export const BROWSER_SOURCES = ['configured', 'installed', 'playwright', 'package'] as const;
type BrowserSource = (typeof BROWSER_SOURCES)[number];

/** A file that should be a browser; nobody has asked it yet. */
export interface BrowserCandidate {
  readonly type: BrowserType;
  /** Absolute. */
  readonly path: string;
  readonly source: BrowserSource;
  /** A build without windows. */
  readonly headlessShell: boolean;
  /** What it needs in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Where it is known without asking. */
  readonly version: string | null;
}

export interface FoundBrowser {
  readonly type: BrowserType;
  readonly path: string;
  readonly source: BrowserSource;
  /** A headless shell: a build without windows, which is several times faster than a full browser. */
  readonly headlessShell: boolean;
  /** `153.0.8010.0`; null when it did not tell. */
  readonly version: string | null;
  /** Days since it was built, by the time stamps that its makers gave its files; null when they gave none. */
  readonly ageDays: number | null;
  readonly headless: boolean;
  readonly headed: boolean;
  /** Why it cannot be used, or not with windows; a sentence for the operator. null: nothing is against it. */
  readonly reason: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/** An older browser lacks fixes that matter: Chromium has a new version every four weeks. */
const MAX_AGE_DAYS = 90;
const DAY_MS = 86_400_000;
/** Before it, a time stamp is a placeholder: packers that want the same bytes each time write 1970, 1980 or 1985. */
const MIN_PLAUSIBLE_MS = Date.UTC(2015);

/**
 * Days since a program was built, by the time stamp of its file: those who pack browsers keep the time of the build.
 * null when that time cannot be true. What was copied by hand looks younger than it is.
 */
export async function buildAgeDays(path: string, now: number): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || found.mtimeMs < MIN_PLAUSIBLE_MS || found.mtimeMs > now) return null;
  return Math.floor((now - found.mtimeMs) / DAY_MS);
}

/** What does not tell its age is not taken for old. */
export const isOutdated = (ageDays: number | null): boolean => ageDays !== null && ageDays > MAX_AGE_DAYS;

/** The numbers of a version; what is not known is older than everything. */
const versionNumbers = (version: string | null): readonly number[] =>
  version === null ? [] : version.split('.').map((part) => Number.parseInt(part, 10) || 0);

/** For sorting: the newer version first. */
export function compareNewestFirst(a: string | null, b: string | null): number {
  const [left, right] = [versionNumbers(a), versionNumbers(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (right[at] ?? -1) - (left[at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** For the text of a refusal: what there is, or why there is nothing. */
export function browserUnavailableMessage(
  type: BrowserType,
  headless: boolean,
  all: readonly FoundBrowser[],
): string {
  const wanted = `${type}${headless ? '' : ' with a window (headless: false)'}`;
  const reasons = all.filter((one) => one.type === type && one.reason !== null).map((one) => one.reason);
  const why = reasons.length === 0 ? 'it is not installed' : [...new Set(reasons)].join('; ');
  const usable = all.filter((one) => one.headless || one.headed);
  const here = usable.map((one) => `${one.type} ${one.version}${one.headed ? '' : ' (headless only)'}`);
  const rest = here.length === 0 ? 'none' : here.join(', ');
  return `The browser ${wanted} is not available here: ${why}. Available: ${rest}.`;
}

/** Told of Firefox and WebKit, which speak another protocol. */
export const UNSUPPORTED = 'not available in this version';

export const isSupported = (type: BrowserType): boolean => type !== 'firefox' && type !== 'webkit';

export function unsupportedBrowser(type: BrowserType): Failure | null {
  if (isSupported(type)) return null;
  const message = `${type} is ${UNSUPPORTED}; use chromium, chrome or msedge.`;
  return failure('browser.unavailable', message, { pointer: '/browser_type' });
}
