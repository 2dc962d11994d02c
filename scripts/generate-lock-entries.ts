/**
 * Completes package-lock.json: npm leaves out optional packages of other platforms that the registry did not have when
 * it wrote the lock, and `npm ci` then refuses that lock. This script adds them with the platform that is in their name,
 * so that npm skips them on all other platforms. It also removes limits to newer versions of Node. With `--check` it only reports missing entries.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Entry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly engines?: object;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = join(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> };

const SYSTEMS = /\b(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)\b/;
const PROCESSORS = /\b(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32|x64)\b/;

/** An entry for a name such as `binding-linux-arm64-musl`, members in npm's order; null if the name has no platform. */
function entryFor(name: string, version: string, dev: boolean): Entry | null {
  const os = SYSTEMS.exec(name)?.[1];
  const cpu = PROCESSORS.exec(name)?.[1];
  if (os === undefined && cpu === undefined) return null;
  const libc = /musl/.test(name) ? 'musl' : /gnu/.test(name) ? 'glibc' : undefined;
  return {
    version,
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(dev ? { dev } : {}),
    ...(libc === undefined ? {} : { libc: [libc] }),
    optional: true,
    ...(os === undefined ? {} : { os: [os] }),
  };
}

const missing: string[] = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const places = [
      path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`,
      `node_modules/${name}`,
    ];
    if (places.some((place) => lock.packages[place] !== undefined)) continue;
    const added = entryFor(name, range.replace(/^[^\d]*/, ''), entry.dev === true);
    if (added === null)
      throw new Error(`${name}, a dependency of ${path}, has no platform in its name: add its entry by hand`);
    missing.push(name);
    lock.packages[`node_modules/${name}`] = added;
  }
}

/**
 * Binaries that need a newer Node than the one that may run `npm ci` (see setup.mjs): npm would leave them out. They run in
 * the Node that is installed with them.
 */
const BINARIES = /\/@lingui\/native-tools-/;
const unsuited = Object.entries(lock.packages).filter(
  ([path, { engines }]) => BINARIES.test(path) && engines !== undefined,
);
for (const [path, { engines: _, ...entry }] of unsuited) lock.packages[path] = entry;

if (missing.length + unsuited.length > 0) {
  if (process.argv.includes('--check')) {
    if (missing.length > 0) console.error(`package-lock.json lacks ${missing.join(', ')}`);
    for (const [path] of unsuited) console.error(`package-lock.json has engines for ${path}`);
    console.error('run `npm run generate`');
    process.exitCode = 1;
  } else {
    // npm's own order, so that the next npm install does not change the file.
    const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
    writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  }
}
