import { type Browser, chromium } from 'playwright-core';
import { createInstanceFolder } from '../../../src/browser/engine/browser-folders.ts';
import type { FoundBrowser } from '../../../src/browser/engine/found-browser.ts';
import { createPipeTransport } from '../../../src/browser/engine/pipe-transport.ts';
import { killProcessGroup, startProcess } from '../../../src/browser/engine/processes.ts';
import { findXvfb, startVirtualDisplay } from '../../../src/browser/engine/virtual-display.ts';
import { readMachinePaths } from '../../../src/config/machine.ts';
import { FOLDERS, processesOfGroup, USER } from '../../adapters/browser/stage.ts';
import { eventually } from '../../helpers/service.ts';

/** The same program without any of our switches, and so with nothing between it and the network. */
export async function startBare(
  found: FoundBrowser,
  headless: boolean,
): Promise<{ browser: Browser } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const folder = await createInstanceFolder(FOLDERS.runDir, USER);
  stack.defer(() => folder.remove());
  const { xvfb } = await findXvfb(readMachinePaths().searchPath);
  const display = headless ? null : await startVirtualDisplay(xvfb!, FOLDERS.runDir, USER);
  stack.defer(() => display?.close());
  const started = await startProcess({
    path: found.path,
    args: [
      ...(headless ? ['--headless'] : []),
      '--no-first-run',
      '--no-startup-window',
      '--disable-popup-blocking',
      '--remote-debugging-pipe',
      `--user-data-dir=${folder.profileDir}`,
    ],
    cwd: folder.path,
    env: { PATH: '/usr/bin:/bin', HOME: folder.path, TMPDIR: folder.tempDir, ...found.env, ...display?.env },
    user: USER,
    pipes: 2,
  });
  if (started instanceof Error) throw started;
  started.stdout.resume();
  started.stderr.resume();
  stack.defer(async () => {
    await killProcessGroup(started.pid);
    // On a busy machine that takes longer than it waits, and who counts packets next would count those of its end.
    await eventually(() => processesOfGroup(started.pid).length === 0);
    started.closeStreams();
  });
  const transport = createPipeTransport(started.pipes[0]!, started.pipes[1]!);
  const browser = await chromium.connectOverCDP(transport);
  const all = stack.move();
  return { browser, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
