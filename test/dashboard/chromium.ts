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
 * A Chromium for tests: the one that `SLUICE_TEST_CHROMIUM` names, else the one of a package, unpacked once for each of
 * its versions. The package's own way is not taken: it would run any file of the right name in the temp folder.
 */
export async function findChromium(): Promise<Chromium> {
  const given = process.env.SLUICE_TEST_CHROMIUM;
  if (given !== undefined && given !== '') return { executablePath: given, env: {} };
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
  const folder = join(ROOT, 'node_modules/.cache/sluice/chromium', version);
  if (!existsSync(folder)) await unpack(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_PATH: folder },
  };
}

/** Beside its place first: another test may be doing the same, and either is good. */
async function unpack(folder: string): Promise<void> {
  const fresh = `${folder}-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    await decompress('chromium.br', join(fresh, 'chromium'));
    for (const name of ['al2023.tar', 'fonts.tar']) {
      const archive = join(fresh, name);
      await decompress(`${name}.br`, archive);
      execFileSync('tar', ['-xf', archive, '-C', fresh]);
      rmSync(archive);
    }
    // Its own names a folder of the machine that the package was made for, and without any font Chromium ends itself.
    writeFileSync(join(fresh, 'fonts.conf'), fontsConf(join(folder, 'fonts'), join(folder, 'font-cache')));
    renameSync(fresh, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
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
