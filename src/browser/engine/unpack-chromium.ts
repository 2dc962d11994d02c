import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress, createBrotliDecompress } from 'node:zlib';
import { unpackingName } from './browser-folders.ts';

/** Lists the unpacked files. It is in the same folder. */
const MANIFEST_FILE = 'manifest.json';
/** Says which files were there when they last matched the manifest. It is in the same folder. */
const CHECKED_FILE = 'checked.json';

/** By the path of the file, relative to the folder. */
type Manifest = Record<string, { readonly bytes: number; readonly sha256: string }>;

function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  return writeFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest, null, 1));
}

/** How the folder differs from its manifest, for messages; null: all files are as they were written. */
async function manifestMismatch(folder: string): Promise<string | null> {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(await readFile(join(folder, MANIFEST_FILE), 'utf8')) as Manifest;
  } catch (error) {
    return `${MANIFEST_FILE} cannot be read: ${(error as Error).message}`;
  }
  const paths = (await filesIn(folder)).map((path) => relative(folder, path));
  const unknown = paths.find((path) => path !== MANIFEST_FILE && !Object.hasOwn(manifest, path));
  if (unknown !== undefined) return `${unknown} does not belong there`;
  for (const [path, { bytes, sha256 }] of Object.entries(manifest)) {
    const file = join(folder, path);
    const found = await stat(file).catch(() => null);
    if (found === null) return `${path} is missing`;
    if (found.size !== bytes || (await sha256Of([file])) !== sha256) return `${path} is damaged`;
  }
  return null;
}

/** The paths of all files in a folder and in those below, but that of `CHECKED_FILE`. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== join(folder, CHECKED_FILE));
}

/**
 * The archives and the unpacked files, as the file system describes them. Whoever changes a file changes this text, because
 * nobody can set the time at which a file was last changed (`ctime`).
 */
async function describeFiles(archives: readonly string[], folder: string): Promise<string> {
  const paths = [...archives, ...(await filesIn(folder)).sort()];
  const lines = paths.map(async (path) => {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [path, ino, size, mtimeNs, ctimeNs].join(' ');
  });
  return JSON.stringify(await Promise.all(lines), null, 1);
}

/** The folder in `home` whose files are those that were checked; null: none. Spares reading 270 MB at each start. */
async function findChecked(version: string, archives: readonly string[], home: string) {
  for (const name of await readdir(home).catch(() => [])) {
    const folder = join(home, name);
    const checked = await readFile(join(folder, CHECKED_FILE), 'utf8').catch(() => null);
    if (checked === null || !name.startsWith(`${version}-`)) continue;
    if (checked === (await describeFiles(archives, folder).catch(() => null))) return folder;
  }
  return null;
}

/** Whether the files match their manifest. If they do, `findChecked` finds them next time. */
async function check(archives: readonly string[], folder: string): Promise<boolean> {
  // Before they are read: what changes meanwhile differs from this.
  const found = await describeFiles(archives, folder).catch(() => null);
  if (found === null || (await manifestMismatch(folder)) !== null) return false;
  // A user who cannot write there reads all files each time.
  await writeFile(join(folder, CHECKED_FILE), found).catch(() => {});
  return true;
}

/** The hash of files, one after the other, in hex. They are read in chunks, so that the event loop is not blocked. */
async function sha256Of(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    for await (const piece of createReadStream(file, { highWaterMark: 256 * 1024 }))
      hash.update(piece as Buffer);
  }
  return hash.digest('hex');
}

/**
 * Gives all users the owner's permissions to read and execute. Needed because browsers may run as another
 * user, and the umask of the service may have withheld them.
 */
async function makeWorldReadable(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  // The folder comes last: `isWorldReadable` looks only at it.
  for (const path of [...paths, folder]) {
    const { mode } = await stat(path);
    const owner = (mode >> 6) & 0o5;
    await chmod(path, (mode & 0o7777) | (owner << 3) | owner);
  }
}

async function isWorldReadable(folder: string): Promise<boolean> {
  return ((await stat(folder)).mode & 0o055) === 0o055;
}

const PACKAGE_NAME = '@sparticuz/chromium';

/** The Chromium that comes with Sluice as an npm package: brotli archives in a folder. */
interface BundledChromium {
  /** Of the package. */
  readonly version: string;
  readonly binDir: string;
}

/**
 * null if the package is not installed, or not for this machine. None of its code is run: its `executablePath()` accepts any
 * file of the right name in the temp folder, and its `args` turn the sandbox off.
 */
export async function findBundledChromium(): Promise<BundledChromium | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  let entry: string;
  try {
    entry = import.meta.resolve(PACKAGE_NAME);
  } catch {
    return null;
  }
  const root = fileURLToPath(new URL('..', entry));
  const binDir = join(root, 'bin');
  if (!existsSync(join(binDir, 'chromium.br'))) return null;
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { version, binDir };
}

/** A regular file of an archive. */
interface TarFile {
  /** Relative, without `..`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  /** Milliseconds since the epoch. */
  readonly modifiedMs: number;
}

const BLOCK_BYTES = 512;
const latin1 = new TextDecoder('latin1');

/**
 * The regular files of a tar archive (POSIX ustar). Throws if it contains anything but files and folders, such as a link, or a
 * path that leads out of it: then it is not the expected archive.
 */
export function readTar(archive: Uint8Array): readonly TarFile[] {
  const files: TarFile[] = [];
  for (let offset = 0; offset + BLOCK_BYTES <= archive.length; ) {
    const header = archive.subarray(offset, offset + BLOCK_BYTES);
    // Blocks of zeros end the archive. The numbers below are the offsets and lengths of ustar header fields.
    if (header[0] === 0) break;
    // `0` or NUL: a file; `5`: a folder.
    const type = String.fromCharCode(header[156]!);
    const size = readOctal(header, 124, 12);
    const end = offset + BLOCK_BYTES + size;
    if (end > archive.length) throw new Error('the archive is truncated');
    const prefix = readField(header, 345, 155);
    const name = readField(header, 0, 100);
    const path = (prefix === '' ? name : `${prefix}/${name}`).replace(/^\.\//, '');
    if (path.startsWith('/') || path.split('/').includes('..'))
      throw new Error(`${path} points outside the archive`);
    if (type === '0' || type === '\0') {
      files.push({
        path,
        bytes: archive.subarray(offset + BLOCK_BYTES, end),
        executable: (readOctal(header, 100, 8) & 0o100) !== 0,
        modifiedMs: readOctal(header, 136, 12) * 1000,
      });
    } else if (type !== '5') throw new Error(`${path} is neither a file nor a folder`);
    offset = BLOCK_BYTES * Math.ceil(end / BLOCK_BYTES);
  }
  return files;
}

function readField(header: Uint8Array, from: number, length: number): string {
  const end = header.indexOf(0, from);
  return latin1.decode(header.subarray(from, end < 0 || end > from + length ? from + length : end));
}

function readOctal(header: Uint8Array, from: number, length: number): number {
  const digits = readField(header, from, length).trim();
  if (!/^[0-7]+$/.test(digits)) throw new Error('the archive is damaged');
  return Number.parseInt(digits, 8);
}

const PROGRAM_ARCHIVE = 'chromium.br';
/** The libraries NSS and NSPR, which most servers lack, and a font: without any font, Chromium ends. */
const ARCHIVES = ['al2023.tar.br', 'fonts.tar.br'];
const CHUNK_BYTES = 1 << 20;

const decompress = promisify(brotliDecompress);

interface UnpackedChromium {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Unpacks the bundled Chromium to `<home>/<version>-<hash>`, unless the files there match their manifest. Files that have not
 * changed since they matched are not read again. Any number of processes may do this at once. Rejects with errors of the
 * file system.
 */
export async function unpackChromium(
  { version, binDir }: BundledChromium,
  home: string,
): Promise<UnpackedChromium> {
  const archives = [PROGRAM_ARCHIVE, ...ARCHIVES].map((name) => join(binDir, name));
  const checked = await findChecked(version, archives, home);
  const folder = checked ?? join(home, `${version}-${(await sha256Of(archives)).slice(0, 16)}`);
  if (checked === null && !(await check(archives, folder))) await unpackTo(folder, binDir, home);
  // Earlier versions of Sluice did not make the folder readable for all users.
  else if (!(await isWorldReadable(folder))) await makeWorldReadable(folder);
  return {
    path: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  };
}

/** Unpacks into a temporary folder, which then replaces `folder`, if that exists. */
async function unpackTo(folder: string, binDir: string, home: string): Promise<void> {
  const newFolder = join(home, unpackingName());
  try {
    await mkdir(newFolder, { mode: 0o755 });
    const manifest: Manifest = {};
    await unpackProgram(join(binDir, PROGRAM_ARCHIVE), newFolder, manifest);
    let builtMs = 0;
    for (const name of ARCHIVES) {
      builtMs = Math.max(builtMs, await unpackArchive(join(binDir, name), newFolder, manifest));
    }
    // The `fonts.conf` of the archive is left out: its paths do not exist here.
    await writeEntry(
      newFolder,
      'fonts.conf',
      Buffer.from(fontsConfig(join(folder, 'fonts'))),
      0o644,
      manifest,
    );
    // The age of a browser is read from the time of its file. The compressed program has no time, but the archives do.
    await utimes(join(newFolder, 'chromium'), builtMs / 1000, builtMs / 1000);
    await writeManifest(newFolder, manifest);
    await makeWorldReadable(newFolder);
    await moveIntoPlace(newFolder, folder, home);
  } finally {
    await rm(newFolder, { recursive: true, force: true });
  }
}

async function unpackProgram(archive: string, folder: string, manifest: Manifest): Promise<void> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const file = join(folder, 'chromium');
  await pipeline(
    createReadStream(archive, { highWaterMark: CHUNK_BYTES }),
    createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
    hashing,
    createWriteStream(file, { mode: 0o755 }),
  );
  manifest.chromium = { bytes: (await stat(file)).size, sha256: hash.digest('hex') };
}

/** Unpacks a tar archive. @returns the time of its newest file, in milliseconds since the epoch */
async function unpackArchive(archive: string, folder: string, manifest: Manifest): Promise<number> {
  let newest = 0;
  for (const { path, bytes, executable, modifiedMs } of readTar(await decompress(await readFile(archive)))) {
    if (path === 'fonts.conf') continue;
    await writeEntry(folder, path, bytes, executable ? 0o755 : 0o644, manifest);
    newest = Math.max(newest, modifiedMs);
  }
  return newest;
}

async function writeEntry(folder: string, path: string, bytes: Uint8Array, mode: number, manifest: Manifest) {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o755 });
  await writeFile(file, bytes, { mode });
  manifest[path] = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function moveIntoPlace(newFolder: string, folder: string, home: string): Promise<void> {
  for (;;) {
    try {
      return await rename(newFolder, folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    }
    // Another process was faster, or the folder is damaged. Running browsers keep their open files.
    if ((await manifestMismatch(folder)) === null) return;
    const oldFolder = join(home, unpackingName());
    await rename(folder, oldFolder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await rm(oldFolder, { recursive: true, force: true });
  }
}

const fontsConfig = (fonts: string): string =>
  `<?xml version="1.0"?>
<fontconfig>
<dir>${escapeXml(fonts)}</dir>
<dir>/usr/share/fonts</dir>
<dir>/usr/local/share/fonts</dir>
<cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

const escapeXml = (path: string): string => path.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
