import { stat } from 'node:fs/promises';

/** An older browser lacks fixes that matter: Chromium has a new version every four weeks. */
const OLD_DAYS = 90;
const DAY_MS = 86_400_000;
/** Before it, a time stamp is a placeholder: packers that want the same bytes each time write 1970, 1980 or 1985. */
const BELIEVABLE_MS = Date.UTC(2015);

/**
 * Days since a program was built, by the time stamp of its file: those who pack browsers keep the time of the build.
 * null when that time cannot be true. What was copied by hand looks younger than it is.
 */
export async function buildAgeDays(path: string, now: number): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || found.mtimeMs < BELIEVABLE_MS || found.mtimeMs > now) return null;
  return Math.floor((now - found.mtimeMs) / DAY_MS);
}

/** What does not tell its age is not taken for old. */
export const isOld = (ageDays: number | null): boolean => ageDays !== null && ageDays > OLD_DAYS;
