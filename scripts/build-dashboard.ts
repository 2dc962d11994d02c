/**
 * Builds the dashboard into dashboard/dist, when its sources are others than those that it was built from. Run by the
 * service after it listens, by `npm run pack`, by the tests and by the Dockerfile.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { dashboardPaths, hashSources } from '../src/adapters/dashboard/dashboard-paths.ts';

// Scrapes come first. The threads of the bundler are made later, and inherit it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const root = join(import.meta.dirname, '..');
const places = dashboardPaths(root);
const hash = await hashSources(places);
if (hash === null) throw new Error('there are no sources of the dashboard here');

if (hash !== stampOf(places.hashFile)) {
  const { build } = await import('vite');
  // Beside its place first, so that nobody ever sees half a build.
  const fresh = `${places.outputDir}-${process.pid}`;
  try {
    await build({
      configFile: join(places.sourceDir, 'vite.config.ts'),
      // Without the bundler's own copy of the configuration, which it would write beside it.
      configLoader: 'native',
      logLevel: 'warn',
      build: { outDir: fresh, emptyOutDir: true },
    });
    compress(join(fresh, 'assets'));
    writeFileSync(join(fresh, 'built-from'), hash);
    put(fresh);
  } catch (error) {
    // What is wrong with the sources stands in the message; how the bundler came to know it helps nobody.
    console.error(stripVTControlCharacters((error as Error).message));
    if (['EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? ''))
      console.error('Run node_modules/.bin/node scripts/build-dashboard.ts as a user who may write there.');
    process.exitCode = 1;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function stampOf(file: string): string | null {
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

/** Replaces what was built before. Another process may be doing the same with the same sources: either is good. */
function put(fresh: string): void {
  // The service that the other one belongs to is reading it now.
  if (stampOf(places.hashFile) === hash) return;
  const old = `${places.outputDir}-old-${process.pid}`;
  try {
    renameSync(places.outputDir, old);
  } catch {
    // There was none.
  }
  rmSync(old, { recursive: true, force: true });
  try {
    renameSync(fresh, places.outputDir);
  } catch (error) {
    if (stampOf(places.hashFile) !== hash) throw error;
  }
}
