import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = '@sparticuz/chromium';

/** The Chromium that comes with Sluice as an npm package: brotli archives in a folder. */
export interface PackageChromium {
  /** Of the package. */
  readonly version: string;
  readonly binDir: string;
}

/**
 * null where the package is not installed, or not made for this machine. Nothing of its code is run: its
 * `executablePath()` starts any file of the right name in the temp folder, and its `args` switch the sandbox off.
 */
export async function packageChromium(): Promise<PackageChromium | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  let entry: string;
  try {
    entry = import.meta.resolve(NAME);
  } catch {
    return null;
  }
  const root = fileURLToPath(new URL('..', entry));
  const binDir = join(root, 'bin');
  if (!existsSync(join(binDir, 'chromium.br'))) return null;
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { version, binDir };
}
