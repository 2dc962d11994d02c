import type { LaunchOptions } from 'playwright-core';
import { type Failure, failure } from '../../../../domain/failure.ts';
import type { LaunchAsk } from './launch-chromium.ts';
import type { LaunchedBrowser } from './launched-browser.ts';
import { makeRunFolder } from './run-folder.ts';

const STARTING_MS = 20_000;
const ENDING_MS = 3_000;
/** What keeps Firefox from going past its proxy, or from doing what no page asked for. */
const FIREFOX_PREFERENCES = {
  'media.peerconnection.enabled': false,
  'network.dns.disablePrefetch': true,
  'network.http.http3.enable': false,
  'network.http.speculative-parallel-limit': 0,
  'network.predictor.enabled': false,
  'network.prefetch-next': false,
  'network.proxy.allow_hijacking_localhost': true,
  'network.proxy.failover_direct': false,
  'network.trr.mode': 5,
};

/**
 * Starts a Firefox or WebKit as Playwright builds them, in its way: it has its own protocol with them. Never rejects.
 */
export async function launchByPlaywright(ask: LaunchAsk): Promise<LaunchedBrowser | Failure> {
  const { found, headless, display } = ask;
  // Without its path: callers are told, too.
  const name = `${found.type} ${found.version ?? ''}`.trimEnd();
  const folder = await makeRunFolder(ask.runDir, ask.user).catch((error: Error) => error);
  if (folder instanceof Error) {
    await display?.close();
    return failure('browser.down', `${name} did not start: no profile can be made: ${folder.message}.`);
  }
  const options: LaunchOptions = {
    executablePath: found.path,
    headless,
    proxy: { server: ask.proxyServer },
    artifactsDir: folder.downloadsDir,
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    timeout: STARTING_MS,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: folder.path, ...display?.env },
    ...(found.type === 'firefox' ? { firefoxUserPrefs: FIREFOX_PREFERENCES } : {}),
  };
  try {
    const playwright = await import('playwright-core');
    const browser = await playwright[found.type === 'firefox' ? 'firefox' : 'webkit'].launch(options);
    const gone = new Promise<string>((resolve) => browser.once('disconnected', () => resolve('it ended')));
    let closing: Promise<void> | null = null;
    const close = async () => {
      const late = AbortSignal.timeout(ENDING_MS);
      const hangs = new Promise<void>((resolve) => {
        late.onabort = () => resolve();
      });
      await Promise.race([browser.close().catch(() => {}), hangs]);
      await display?.close();
      await folder.remove().catch(() => {});
    };
    return {
      browser,
      found,
      headless,
      pid: null,
      downloadsDir: folder.downloadsDir,
      gone,
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await display?.close();
    await folder.remove().catch(() => {});
    return failure('browser.down', `${name} did not start: ${(error as Error).message.split('\n', 1)[0]}.`);
  }
}
