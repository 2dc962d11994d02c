import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { removeLeftovers } from '../../../../src/browser/engine/browser-folders.ts';
import type { FoundBrowser } from '../../../../src/browser/engine/found-browser.ts';
import { explainLaunchFailure } from '../../../../src/browser/engine/launch.ts';
import { isLaunched, start } from '../../../adapters/browser/launching.ts';
import {
  browserProcessesOf,
  chromiums,
  FOLDERS,
  foldersOf,
  processesOfGroup,
  USER,
} from '../../../adapters/browser/stage.ts';
import { testedChromiums } from '../../../adapters/browser/tested-chromiums.ts';
import { afterwards } from '../../../adapters/temp.ts';
import { startChild } from '../../../helpers/child.ts';

const linux = process.platform !== 'linux' && 'these tests read /proc';
/** How often a browser is started and ended. The first seven starts have every combination of page and end. */
const STARTS = process.env.LONG === '1' ? 20 : 7;
const all = await chromiums();
const noBrowser = all.length === 0 && 'there is no Chromium on this machine';

for (const found of await testedChromiums()) {
  describe(`${found.type} ${found.version} (${found.source})`, { skip: linux }, () => {
    it('runs pages in a sandbox, as an unprivileged user', async (t) => {
      const { browser, pid } = await launched(t, found);
      await (await browser.newPage()).setContent('<p>hello');
      const renderers = processesOfGroup(pid!).filter(({ line }) => line.includes('--type=renderer'));
      assert.ok(renderers.length > 0);
      for (const one of renderers) {
        assert.match(readFileSync(`/proc/${one.pid}/status`, 'utf8'), /^Seccomp:\s2$/m);
        for (const space of ['user', 'pid', 'net']) {
          assert.notEqual(
            readlinkSync(`/proc/${one.pid}/ns/${space}`),
            readlinkSync(`/proc/self/ns/${space}`),
          );
        }
      }
      const expected = USER?.uid ?? process.getuid!();
      assert.notEqual(expected, 0);
      for (const one of processesOfGroup(pid!)) {
        const status = readFileSync(`/proc/${one.pid}/status`, 'utf8');
        assert.match(
          status,
          new RegExp(`^Uid:\\s${expected}\\s${expected}\\s${expected}\\s${expected}$`, 'm'),
        );
        // Capabilities in another user namespace have no effect outside of it.
        if (readlinkSync(`/proc/${one.pid}/ns/user`) === readlinkSync('/proc/self/ns/user')) {
          assert.match(status, /^CapEff:\s0+$/m, one.line);
        }
        assert.doesNotMatch(
          one.line,
          /--no-sandbox|--disable-web-security|--disable-site-isolation|debugging-port/,
        );
      }
    });

    it('gets no environment variables of the service, and listens on no TCP port', async (t) => {
      const { browser, pid } = await launched(t, found);
      await browser.newPage();
      const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((one) => one.split('=', 1)[0]);
      const allowed = /^(PATH|LANG|HOME|TMPDIR|XDG_.*|FONTCONFIG_FILE|LC_ALL|LD_LIBRARY_PATH|CHROME_.*|)$/;
      assert.deepEqual(
        names.filter((name) => !allowed.test(name!)),
        [],
      );
      const sockets = new Set(
        processesOfGroup(pid!).flatMap((one) =>
          readdirSync(`/proc/${one.pid}/fd`).map((fd) => linkOf(`/proc/${one.pid}/fd/${fd}`)),
        ),
      );
      for (const table of ['tcp', 'tcp6']) {
        for (const line of readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1)) {
          const [, , , state, , , , , , inode] = line.trim().split(/\s+/);
          // 0A: LISTEN
          assert.ok(state !== '0A' || !sockets.has(`socket:[${inode}]`), line);
        }
      }
    });

    it('reaches the network only through the proxy of the browser and the proxy of the page', async (t) => {
      const serverOf = (text: string, requestedUrls: string[]) =>
        createServer((request, response) => {
          requestedUrls.push(request.url!);
          response.setHeader('content-type', 'text/html').end(text);
        });
      const [proxied, direct]: [string[], string[]] = [[], []];
      const proxy = serverOf('<p>from the proxy', proxied);
      const canary = serverOf('<p>direct', direct);
      const udp = createSocket('udp4');
      let datagrams = 0;
      udp.on('message', () => void datagrams++);
      proxy.listen(0, '127.0.0.1');
      canary.listen(0, '127.0.0.2');
      udp.bind(0, '127.0.0.2');
      await Promise.all([proxy, canary, udp].map((one) => once(one, 'listening')));
      for (const one of [proxy, canary, udp]) afterwards(t, () => one.close());
      const portOf = (one: { address(): unknown }) => (one.address() as AddressInfo).port;

      // Requests of the browser itself, such as updates, go to the proxy of the browser, where nothing listens.
      const { browser } = await launched(t, found);
      const page = await browser.newPage({ proxy: { server: `http://127.0.0.1:${portOf(proxy)}` } });
      for (const host of [`127.0.0.2:${portOf(canary)}`, `localhost:${portOf(canary)}`, 'example.test']) {
        const response = await page.goto(`http://${host}/page`);
        assert.equal(await response!.text(), '<p>from the proxy', host);
        assert.ok(proxied.includes(`http://${host}/page`), proxied.join());
      }
      const candidates = await page.evaluate(`(${GATHER_ICE_CANDIDATES})(${portOf(udp)})`);
      assert.deepEqual(candidates, []);
      assert.equal(datagrams, 0);
      assert.deepEqual(direct, []);
      const others = proxied.filter((url) => !url.endsWith('/page') && !url.endsWith('/favicon.ico'));
      assert.deepEqual(others, [], 'only requests of the page use its proxy');
    });

    it(`leaves no process, folder or file descriptor behind, ${STARTS} times`, async (t) => {
      const warm = await launched(t, found);
      await warm.close();
      const before = { folders: foldersOf(process.pid), open: readdirSync('/proc/self/fd').length };
      for (let run = 0; run < STARTS; run++) {
        const one = await start(found);
        isLaunched(one);
        if (run % 4 === 0) await one.browser.newPage();
        if (run % 3 === 0) process.kill(one.pid!, 'SIGKILL');
        await one.close();
        assert.deepEqual(processesOfGroup(one.pid!), []);
        assert.equal(one.browser.isConnected(), false);
      }
      assert.deepEqual(foldersOf(process.pid), before.folders);
      await until(() => browserProcessesOf(process.pid).length === 0);
      await until(() => readdirSync('/proc/self/fd').length <= before.open);
    });

    it('is killed on close when it hangs', async (t) => {
      const { browser, pid, exited, close } = await launched(t, found);
      await browser.newPage();
      process.kill(pid!, 'SIGSTOP');
      await close();
      assert.match(await exited, /SIGKILL/);
      assert.deepEqual(processesOfGroup(pid!), []);
    });
  });
}

test('browsers end when their service is killed, and the next service removes their profiles', {
  skip: linux || noBrowser,
}, async (t) => {
  // A folder of its own: other services on this machine, at their start, remove what is left in the shared one. Its path is
  // short, because a browser puts a socket below it (at most 107 bytes).
  const folders = { ...FOLDERS, runDir: mkdtempSync(join(tmpdir(), 'run-')) };
  chmodSync(folders.runDir, 0o711);
  afterwards(t, () => rmSync(folders.runDir, { recursive: true, force: true }));
  const child = startChild(process.execPath, [
    join(import.meta.dirname, '../../../adapters/browser/children/launch-and-wait.ts'),
    folders.runDir,
  ]);
  const groups = JSON.parse((await child.printed(/running (.*)/, 30_000))[1]!) as number[];
  // A stopped browser cannot notice that the service has ended.
  process.kill(groups[0]!, 'SIGSTOP');
  assert.equal(foldersOf(child.pid, folders).length, groups.length);
  await removeLeftovers(folders);
  assert.equal(foldersOf(child.pid, folders).length, groups.length, 'the profiles of a running service stay');
  child.kill('SIGKILL');
  await child.exited;
  for (const group of groups.slice(1)) await until(() => processesOfGroup(group).length === 0);
  assert.equal(foldersOf(child.pid, folders).length, groups.length);
  const open = await start(all[0]!, true, folders);
  isLaunched(open);
  afterwards(t, () => open.close());
  assert.equal(await removeLeftovers(folders), groups.length);
  assert.deepEqual(foldersOf(child.pid, folders), []);
  assert.deepEqual(browserProcessesOf(child.pid), []);
  assert.equal(open.browser.isConnected(), true, 'the browsers of this process still run');
});

test('where user namespaces are forbidden, browsers are unavailable, and the message says why', {
  skip: linux || noBrowser,
}, async (t) => {
  if (process.getuid!() !== 0) return t.skip('only root can forbid user namespaces');
  if (all.every(({ path }) => existsSync(join(path, '../chrome-sandbox'))))
    return t.skip('these browsers have a setuid sandbox');
  const holder = startChild('unshare', ['--user', 'sleep', '60']);
  afterwards(t, () => holder.kill('SIGKILL'));
  const own = readlinkSync('/proc/self/ns/user');
  await until(() => linkOf(`/proc/${holder.pid}/ns/user`) !== own);
  for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${holder.pid}/${map}`, '0 0 65536');
  const forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
  const inside = ['-U', '-t', `${holder.pid}`, '-S', '0', '-G', '0', 'sh', '-c', forbid, 'sh'];
  const program = join(import.meta.dirname, '../../../adapters/browser/children/try-launch.ts');
  const child = startChild('nsenter', [...inside, process.execPath, program]);
  await child.exited;
  const results = JSON.parse(child.stdout() || `"${child.stderr()}"`) as { code: string; message: string }[];
  assert.equal(results.length, all.length);
  for (const { code, message } of results) {
    assert.equal(code, 'browser.unavailable');
    assert.match(message, /forbids user namespaces.*or set SLUICE_BROWSER_SANDBOX=off\.$/);
  }
});

test('the failure says why a browser did not start', async () => {
  for (const [path, message] of [
    ['/bin/false', /did not start: it ended with exit code 1/],
    ['/no/such/browser', /did not start: spawn .*ENOENT/],
  ] as const) {
    const failure = await start({ ...FOUND, path });
    assert.ok('code' in failure);
    assert.equal(failure.code, 'browser.down');
    assert.match(failure.message, message);
  }
  assert.deepEqual(foldersOf(process.pid), []);
});

test('the failure says which resource of the machine is used up, and what to do', () => {
  for (const [stderr, cause, message] of [
    ['', 'spawn /x/chromium EMFILE', /no file descriptors left.*ulimit -n/],
    [
      '[FATAL] Check failed: fd. Too many open files (24)',
      'it ended with SIGTRAP',
      /no file descriptors left/,
    ],
    ['', 'spawn /bin/sh EAGAIN', /out of memory or processes/],
    [
      'Creating shared memory in /dev/shm/.org.chromium.x failed: No space left on device (28)',
      'it ended with SIGTRAP',
      /no shared memory left: give \/dev\/shm 512 MB/,
    ],
    [
      '',
      'the folder for its profile cannot be created: ENOSPC: no space left on device, mkdir',
      /disk .* is full/,
    ],
  ] as const) {
    const failure = explainLaunchFailure('chromium 1', true, stderr, cause);
    assert.equal(failure.code, 'browser.down');
    assert.match(failure.message, message);
  }
});

/** Runs in the page. Returns the ICE candidates of WebRTC: the addresses at which the browser could be reached directly. */
const GATHER_ICE_CANDIDATES = `async function gather(port) {
  const connection = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.2:' + port }] });
  connection.createDataChannel('x');
  const found = [];
  connection.onicecandidate = ({ candidate }) => candidate && found.push(candidate.candidate);
  await connection.setLocalDescription(await connection.createOffer());
  await new Promise((resolve) => {
    connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve();
    setTimeout(resolve, 3000);
  });
  return found;
}`;

/** A browser whose path is filled in by a test. */
const FOUND: FoundBrowser = {
  headlessShell: false,
  type: 'chromium',
  path: '',
  source: 'configured',
  version: '1.2',
  ageDays: null,
  headless: true,
  headed: false,
  reason: null,
  env: {},
};

/** A browser that is closed at the end of the test. */
async function launched(t: TestContext, found: FoundBrowser) {
  const one = await start(found);
  isLaunched(one);
  afterwards(t, () => one.close());
  return one;
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

async function until(isMet: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isMet()) {
    assert.ok(performance.now() < deadline, `not met in time: ${isMet}`);
    await pause(20);
  }
}
