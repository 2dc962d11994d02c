import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliDecompress, createBrotliDecompress } from 'node:zlib';
import { unpackingName } from './half-unpacked.ts';
import { differsFromManifest, type Manifest, sha256Of, writeManifest } from './manifest.ts';
import { isOpenToAll, openToAll } from './open-to-all.ts';
import type { PackageChromium } from './package-chromium.ts';
import { readTar } from './read-tar.ts';

const PROGRAM = 'chromium.br';
/** Its NSS and NSPR, which most servers lack, and a font: without any, Chromium ends itself. */
const ARCHIVES = ['al2023.tar.br', 'fonts.tar.br'];
const PIECE = 1 << 20;

const inflate = promisify(brotliDecompress);

export interface Unpacked {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The package's Chromium in `<home>/<version>-<hash>`, unpacked unless what lies there is, byte for byte, what was
 * unpacked earlier. Any number of processes may do this at once. Rejects when the disk does not let it.
 */
export async function unpackChromium({ version, binDir }: PackageChromium, home: string): Promise<Unpacked> {
  const hash = await sha256Of([PROGRAM, ...ARCHIVES].map((name) => join(binDir, name)));
  const folder = join(home, `${version}-${hash.slice(0, 16)}`);
  if ((await differsFromManifest(folder)) !== null) await unpackTo(folder, binDir, home);
  // One of an earlier version may not be.
  else if (!(await isOpenToAll(folder))) await openToAll(folder);
  return {
    path: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  };
}

/** Beside its place first; then it takes the place of whatever stands there and is not good. */
async function unpackTo(folder: string, binDir: string, home: string): Promise<void> {
  const fresh = join(home, unpackingName());
  try {
    await mkdir(fresh, { mode: 0o755 });
    const manifest: Manifest = {};
    await unpackProgram(join(binDir, PROGRAM), fresh, manifest);
    let builtMs = 0;
    for (const name of ARCHIVES) {
      builtMs = Math.max(builtMs, await unpackArchive(join(binDir, name), fresh, manifest));
    }
    // The one in the archive names a folder of the machine that the package was made for.
    await put(fresh, 'fonts.conf', Buffer.from(fontsConf(join(folder, 'fonts'))), 0o644, manifest);
    // The archives keep the time of the build, the compressed program does not.
    await utimes(join(fresh, 'chromium'), builtMs / 1000, builtMs / 1000);
    await writeManifest(fresh, manifest);
    await openToAll(fresh);
    await takePlace(fresh, folder, home);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function unpackProgram(archive: string, folder: string, manifest: Manifest): Promise<void> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(piece, _, done) {
      hash.update(piece);
      done(null, piece);
    },
  });
  const file = join(folder, 'chromium');
  await pipeline(
    createReadStream(archive, { highWaterMark: PIECE }),
    createBrotliDecompress({ chunkSize: PIECE }),
    hashing,
    createWriteStream(file, { mode: 0o755 }),
  );
  manifest.chromium = { bytes: (await stat(file)).size, sha256: hash.digest('hex') };
}

/** The time of its newest file, in milliseconds. */
async function unpackArchive(archive: string, folder: string, manifest: Manifest): Promise<number> {
  let newest = 0;
  for (const { path, bytes, executable, modifiedMs } of readTar(await inflate(await readFile(archive)))) {
    if (path === 'fonts.conf') continue;
    await put(folder, path, bytes, executable ? 0o755 : 0o644, manifest);
    newest = Math.max(newest, modifiedMs);
  }
  return newest;
}

async function put(folder: string, path: string, bytes: Uint8Array, mode: number, manifest: Manifest) {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o755 });
  await writeFile(file, bytes, { mode });
  manifest[path] = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function takePlace(fresh: string, folder: string, home: string): Promise<void> {
  for (;;) {
    try {
      return await rename(fresh, folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    }
    // Another process was faster; or it is the damaged one. Browsers that run from it keep their files.
    if ((await differsFromManifest(folder)) === null) return;
    const away = join(home, unpackingName());
    await rename(folder, away).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rm(away, { recursive: true, force: true });
  }
}

const fontsConf = (fonts: string): string =>
  `<?xml version="1.0"?>
<fontconfig>
<dir>${escaped(fonts)}</dir>
<dir>/usr/share/fonts</dir>
<dir>/usr/local/share/fonts</dir>
<cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

const escaped = (path: string): string => path.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
