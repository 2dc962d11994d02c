import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserPlace } from './found-browser.ts';
import { usualPlaces } from './usual-places.ts';

/** Chrome, Chromium and Edge as packages install them, at most one of each; of Chromium the headless shell as well. */
export async function installedBrowsers(
  platform: NodeJS.Platform,
  searchPath: readonly string[],
): Promise<readonly BrowserPlace[]> {
  const found: BrowserPlace[] = [];
  for (const { type, shell, paths, names } of usualPlaces(platform)) {
    const inPath = searchPath.flatMap((folder) => names.map((name) => join(folder, name)));
    for (const path of [...paths, ...inPath]) {
      if (!(await isProgram(path))) continue;
      found.push({ type, path, from: 'installed', shell, env: {}, version: null });
      break;
    }
  }
  return found;
}

export function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
