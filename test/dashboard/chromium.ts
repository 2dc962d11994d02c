import { execFileSync } from 'node:child_process';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { ROOT } from '../helpers/repository.ts';

export interface Chromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const PACKAGE = join(ROOT, 'node_modules/@sparticuz/chromium');

/**
 * A Chromium for tests: the one that `SLUICE_TEST_CHROMIUM` names, or else that of the package `@sparticuz/chromium`, unpacked
 * once for each version. The package could unpack it, too, but would then run any file of that name in the temp folder.
 */
export async function findChromium(): Promise<Chromium> {
  const configuredPath = process.env.SLUICE_TEST_CHROMIUM;
  if (configuredPath !== undefined && configuredPath !== '')
    return { executablePath: configuredPath, env: {} };
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
  const folder = join(ROOT, 'node_modules/.cache/sluice/chromium', version);
  if (!existsSync(folder)) await unpack(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: folder },
  };
}

/** Unpacks into a temporary folder, and then renames it: several tests may do this at the same time, and one of them wins. */
async function unpack(folder: string): Promise<void> {
  const temporary = `${folder}-${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  try {
    await decompress('chromium.br', join(temporary, 'chromium'));
    for (const name of ['al2023.tar', 'fonts.tar']) {
      const archive = join(temporary, name);
      await decompress(`${name}.br`, archive);
      execFileSync('tar', ['-xf', archive, '-C', temporary]);
      rmSync(archive);
    }
    // The fonts.conf of the package names a folder that does not exist here, and Chromium exits without any font.
    writeFileSync(
      join(temporary, 'fonts.conf'),
      fontsConf(join(folder, 'fonts'), join(folder, 'font-cache')),
    );
    renameSync(temporary, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

const fontsConf = (fonts: string, cache: string): string =>
  `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><dir>/usr/share/fonts</dir><cachedir>${cache}</cachedir></fontconfig>\n`;

async function decompress(name: string, to: string): Promise<void> {
  await pipeline(
    createReadStream(join(PACKAGE, 'bin', name)),
    createBrotliDecompress(),
    createWriteStream(to, { mode: 0o755 }),
  );
}
