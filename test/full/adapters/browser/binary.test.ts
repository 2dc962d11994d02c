import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { describeBrowsers } from '../../../../src/browser/engine/browser-engine.ts';
import {
  browserUnavailableMessage,
  compareNewestFirst,
} from '../../../../src/browser/engine/found-browser.ts';
import {
  findBundledChromium,
  readTar,
  unpackChromium,
} from '../../../../src/browser/engine/unpack-chromium.ts';
import { browsersOnMachine } from '../../../adapters/browser/stage.ts';
import { afterwards, noise, tempFolder } from '../../../adapters/temp.ts';
import { runChild } from '../../../helpers/child.ts';

const bundled = await findBundledChromium();
const skip = bundled === null && 'there is no bundled Chromium for this machine';

const FASTEST = { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } };

/** A package like that of Chromium, whose program is a few megabytes of noise: unpacking 270 MB takes seconds. */
function makeSmallPackage(home: string): { readonly version: string; readonly binDir: string } {
  const [binDir, files] = [join(home, 'bin'), join(home, 'files')];
  mkdirSync(binDir);
  writeFileSync(join(binDir, 'chromium.br'), brotliCompressSync(noise(1, 8_000_000), FASTEST));
  for (const [archive, path] of [
    ['al2023.tar', 'lib/libnss3.so'],
    ['fonts.tar', 'fonts/a.ttf'],
  ] as const) {
    mkdirSync(join(files, dirname(path)), { recursive: true });
    writeFileSync(join(files, path), path, { mode: 0o755 });
    const tar = execFileSync('tar', ['-c', '--format=ustar', '-C', files, dirname(path)]);
    writeFileSync(join(binDir, `${archive}.br`), brotliCompressSync(tar));
  }
  return { version: '1.2.3', binDir };
}
describe('the unpacking of Chromium', () => {
  const packageHome = mkdtempSync(join(tmpdir(), 'sluice-chromium-'));
  after(() => rmSync(packageHome, { recursive: true }));
  const small = makeSmallPackage(packageHome);

  it('is unpacked once, and again if its files were changed', async (t) => {
    const home = tempFolder(t);
    const { path } = await unpackChromium(small, home);
    const folder = dirname(path);
    const first = statSync(path);
    await unpackChromium(small, home);
    assert.equal(statSync(path).ino, first.ino, 'an intact folder stays');

    const damages: readonly (readonly [string, () => void])[] = [
      ['a changed byte', () => flipBit(path, 1_000_000)],
      ['a missing file', () => rmSync(join(folder, 'lib/libnss3.so'))],
      ['an additional file', () => writeFileSync(join(folder, 'lib/libevil.so'), 'x')],
      ['a missing manifest', () => rmSync(join(folder, 'manifest.json'))],
    ];
    for (const [what, damage] of damages) {
      const before = statSync(folder).ino;
      damage();
      assert.equal((await unpackChromium(small, home)).path, path);
      assert.notEqual(statSync(folder).ino, before, what);
      assert.equal(statSync(path).size, first.size, what);
    }
    assert.deepEqual(readdirSync(home), [folder.slice(home.length + 1)], 'no other folder is left');
  });

  it('is read as a whole only if a file has changed since it was last read', async (t) => {
    const home = tempFolder(t);
    /** Bytes that this process reads meanwhile. */
    const bytesRead = async () => {
      const total = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))![1]);
      const before = total();
      await unpackChromium(small, home);
      return total() - before;
    };
    const { path } = await unpackChromium(small, home);
    const all = statSync(path).size;
    assert.ok((await bytesRead()) > all);
    const [few, again] = [await bytesRead(), await bytesRead()];
    assert.ok(few < all / 10 && again < all / 10, `${few} and ${again} of ${all} bytes`);
    // The same content with another time.
    utimesSync(path, new Date(), new Date());
    assert.ok((await bytesRead()) > all);
    assert.ok((await bytesRead()) < all / 10);
    // Neither its size nor its time tells that this file has changed.
    const { atime, mtime } = statSync(path);
    flipBit(path, 1_000_000);
    utimesSync(path, atime, mtime);
    const before = statSync(path).ino;
    await unpackChromium(small, home);
    assert.notEqual(statSync(path).ino, before, 'the damaged file was replaced');
  });

  it('can be run by every user, whatever the umask is', async (t) => {
    const home = tempFolder(t);
    const before = process.umask(0o077);
    afterwards(t, () => void process.umask(before));
    const { path } = await unpackChromium(small, home);
    const modes = () => [dirname(path), path, join(dirname(path), 'lib/libnss3.so')].map(modeOf);
    assert.deepEqual(modes(), [0o755, 0o755, 0o755]);
    assert.equal(modeOf(join(dirname(path), 'fonts.conf')), 0o644);
    // A folder that only its owner can read is repaired.
    for (const name of ['', 'chromium', 'lib', 'lib/libnss3.so']) chmodSync(join(dirname(path), name), 0o700);
    await unpackChromium(small, home);
    assert.deepEqual(modes(), [0o755, 0o755, 0o755]);
  });

  it('can be unpacked by several processes at once', async (t) => {
    const home = tempFolder(t);
    const child = join(import.meta.dirname, '../../../adapters/browser/children/unpack.ts');
    const results = await Promise.all(
      Array.from({ length: 3 }, () => runChild(process.execPath, [child, small.binDir, home])),
    );
    for (const { code, stderr } of results) assert.equal(code, 0, stderr);
    const paths = new Set(results.map(({ stdout }) => stdout.trim()));
    assert.equal(paths.size, 1);
    assert.deepEqual(
      readdirSync(home).map((name) => join(home, name, 'chromium')),
      [...paths],
    );
  });
});

describe('the bundled Chromium', { skip }, () => {
  it('is unpacked whole', async (t) => {
    const { path, env } = await unpackChromium(bundled!, tempFolder(t));
    const folder = dirname(path);
    assert.match(folder, new RegExp(`/${bundled!.version}-[0-9a-f]{16}$`));
    assert.match(readFileSync(env.FONTCONFIG_FILE!, 'utf8'), new RegExp(`<dir>${folder}/fonts</dir>`));
    for (const file of ['chromium', 'lib/libnss3.so'])
      assert.ok(statSync(join(folder, file)).size > 100_000, file);
  });

  it('is found with its version and age', async () => {
    const found = (await browsersOnMachine()).find((one) => one.source === 'package');
    assert.match(found?.version ?? '', /^\d+(\.\d+){3}$/);
    assert.equal(found?.headless, true);
    assert.equal(found?.headed, false);
    assert.equal(found?.reason, 'it is a headless-only build');
    assert.ok(found?.ageDays === null || (found?.ageDays ?? -1) >= 0);
  });
});

test('browsers that the operator configures come first, in the configured order', async (t) => {
  const script = join(tempFolder(t), 'browser');
  chmodSync(dirname(script), 0o755);
  writeFileSync(script, '#!/bin/sh\necho "Some Browser 7.1.2 stable"\n', { mode: 0o755 });
  chmodSync(script, 0o755);
  const all = await browsersOnMachine([
    { type: 'chrome', path: script },
    { type: 'chrome', path: '/no/such/browser' },
  ]);
  assert.deepEqual(
    all.slice(0, 2).map(({ source, version, headless }) => ({ source, version, headless })),
    [
      { source: 'configured', version: '7.1.2', headless: true },
      { source: 'configured', version: null, headless: false },
    ],
  );
  assert.match(all[1]!.reason!, /cannot be started: .*ENOENT/);
});

test('headless shells come before full browsers, builds of the last 90 days before older ones, then the newer one', async (t) => {
  const cache = tempFolder(t);
  chmodSync(cache, 0o755);
  const DAY_MS = 86_400_000;
  const place = (folder: string, version: string, ageDays: number) => {
    const path = join(cache, folder);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\necho "Chromium ${version}"\n`);
    chmodSync(path, 0o755);
    const built = new Date(Date.now() - ageDays * DAY_MS);
    utimesSync(path, built, built);
  };
  place('chromium-9001/chrome-linux/chrome', '999.0.1.0', 1);
  place('chromium_headless_shell-9002/chrome-linux/headless_shell', '998.0.1.0', 91);
  place('chromium_headless_shell-9003/chrome-linux/headless_shell', '996.0.1.0', 89);
  place('chromium_headless_shell-9004/chrome-linux/headless_shell', '997.0.1.0', 89);
  const all = await browsersOnMachine([], { playwrightDir: cache });
  const placed = all.filter(({ source }) => source === 'playwright');
  assert.deepEqual(
    placed.map(({ version, headlessShell, ageDays }) => [version, headlessShell, ageDays]),
    [
      ['997.0.1.0', true, 89],
      ['996.0.1.0', true, 89],
      ['998.0.1.0', true, 91],
      ['999.0.1.0', false, 1],
    ],
  );
  const described = describeBrowsers(
    all,
    () => null,
    () => null,
  );
  const describedPlaced = described.filter(({ source }) => source === 'playwright');
  assert.deepEqual(
    describedPlaced.map(({ used }) => used),
    [true, false, false, false],
  );
  const reasons = describedPlaced.map(({ reason }) => reason?.replace(/ \(this one .*/, ''));
  assert.deepEqual(reasons.slice(1), [
    '997.0.1.0 (playwright) is preferred: it is newer',
    '997.0.1.0 (playwright) is preferred: this build is 91 days old',
    '997.0.1.0 (playwright) is preferred: a headless shell is faster than a full browser',
  ]);
});

test('a program that does not print its version is not used, and the reason says so', async (t) => {
  const script = join(tempFolder(t), 'browser');
  chmodSync(dirname(script), 0o755);
  writeFileSync(script, '#!/bin/sh\necho "libfoo.so: cannot open" >&2\nexit 127\n', { mode: 0o755 });
  const [first, ...others] = await browsersOnMachine([{ type: 'chrome', path: script }]);
  assert.deepEqual(
    [first!.headless, first!.headed, first!.reason],
    [false, false, 'it did not report its version: libfoo.so: cannot open'],
  );
  const text = browserUnavailableMessage('chrome', true, [first!, ...others]);
  assert.match(
    text,
    /^The browser chrome is not available here: it did not report its version: libfoo\.so: cannot open\. Available: /,
  );
  assert.match(
    browserUnavailableMessage('webkit', true, []),
    /webkit is not available here: it is not installed\. Available: none\.$/,
  );
});

test('versions are compared as numbers', () => {
  const versions = ['9.1', null, '153.0.8010.0', '153.0.8009.99', '153.0', '20.3.1'];
  assert.deepEqual(versions.toSorted(compareNewestFirst), [
    '153.0.8010.0',
    '153.0.8009.99',
    '153.0',
    '20.3.1',
    '9.1',
    null,
  ]);
});

describe('readTar', () => {
  it('returns the files of an archive', () => {
    const archive = Buffer.concat([entry('a/', '5'), entry('a/b.txt', '0', 'hello'), Buffer.alloc(1024)]);
    const [file, ...more] = readTar(archive);
    assert.deepEqual(more, []);
    assert.equal(file!.path, 'a/b.txt');
    assert.equal(Buffer.from(file!.bytes).toString(), 'hello');
    assert.equal(file!.modifiedMs, 8_000);
  });

  const REFUSED: readonly [string, Buffer, RegExp][] = [
    ['a link', entry('a', '2'), /neither a file nor a folder/],
    ['a path that leads out of the folder', entry('a/../../b', '0', 'x'), /points outside/],
    ['an absolute path', entry('/etc/passwd', '0', 'x'), /points outside/],
    ['a truncated archive', entry('a', '0', 'x').subarray(0, 512), /truncated/],
    ['bytes that are no archive', Buffer.alloc(512, 'z'), /damaged/],
  ];
  for (const [fault, archive, message] of REFUSED)
    it(`refuses ${fault}`, () => assert.throws(() => readTar(archive), message));
});

/** Changes one bit of the file. */
function flipBit(path: string, offset: number): void {
  const bytes = readFileSync(path);
  bytes[offset]! ^= 1;
  writeFileSync(path, bytes);
}

/** One entry of a tar archive (POSIX ustar). @param kind the type flag: 0 file, 2 symbolic link, 5 folder */
function entry(name: string, kind: string, text = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(`${(8).toString(8).padStart(11, '0')}\0`, 136);
  header.write(kind, 156);
  return Buffer.concat([header, Buffer.from(text.padEnd(text === '' ? 0 : 512, '\0'))]);
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;
