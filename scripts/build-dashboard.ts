/**
 * Builds the dashboard into dashboard/dist if its sources have changed since it was built. Run by the service after it
 * listens, by `npm run pack`, by the tests and by the Dockerfile.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { dashboardPaths, hashSources } from '../src/adapters/dashboard/dashboard-paths.ts';

// Scrapes have priority. The threads of the bundler are created later, and inherit this priority.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const root = join(import.meta.dirname, '..');
const places = dashboardPaths(root);
const hash = await hashSources(places);
if (hash === null) throw new Error(`${places.sourceDir} has no sources of the dashboard`);

if (hash !== readText(places.hashFile)) {
  const { build } = await import('vite');
  // Built in another folder, and moved when it is complete: the service may read the output at any time.
  const fresh = `${places.outputDir}-${process.pid}`;
  try {
    await build({
      configFile: join(places.sourceDir, 'vite.config.ts'),
      // Otherwise the bundler writes a compiled copy of the configuration beside the file.
      configLoader: 'native',
      logLevel: 'warn',
      build: { outDir: fresh, emptyOutDir: true },
    });
    compress(join(fresh, 'assets'));
    writeFileSync(join(fresh, 'built-from'), hash);
    replaceOutput(fresh);
  } catch (error) {
    // Without the stack, which is only that of the bundler. The message says what is wrong with the sources.
    console.error(stripVTControlCharacters((error as Error).message));
    if (['EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? ''))
      console.error('Run node_modules/.bin/node scripts/build-dashboard.ts as a user who may write there.');
    process.exitCode = 1;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** The text of a file; null if it cannot be read. */
function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function compress(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/\.(?:js|css|svg)$/.test(name)) continue;
    const bytes = readFileSync(join(folder, name));
    const params = {
      [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY,
      [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    for (const [ending, compressed] of [
      ['.br', brotliCompressSync(bytes, { params })],
      ['.gz', gzipSync(bytes, { level: 9 })],
    ] as const) {
      if (compressed.length < bytes.length) writeFileSync(join(folder, name + ending), compressed);
    }
  }
}

/** Moves the new build to the output folder. Another process may do the same at the same time, with the same sources. */
function replaceOutput(fresh: string): void {
  // The other process was faster; its service may be reading the files now.
  if (readText(places.hashFile) === hash) return;
  const old = `${places.outputDir}-old-${process.pid}`;
  try {
    renameSync(places.outputDir, old);
  } catch {
    // There was no build before.
  }
  rmSync(old, { recursive: true, force: true });
  try {
    renameSync(fresh, places.outputDir);
  } catch (error) {
    if (readText(places.hashFile) !== hash) throw error;
  }
}
