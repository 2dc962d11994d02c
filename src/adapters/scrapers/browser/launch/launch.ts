import { type Failure, failure } from '../../../../domain/failure.ts';
import { type BrowsersHome, makeHome } from '../binary/browsers-home.ts';
import type { FoundBrowser } from '../binary/found-browser.ts';
import type { BrowserUser } from './browser-user.ts';
import type { Lane } from './lane.ts';
import { launchChromium } from './launch-chromium.ts';
import type { LaunchedBrowser } from './launched-browser.ts';
import { type Display, startDisplay } from './virtual-display.ts';

export interface LaunchParts {
  readonly folders: BrowsersHome;
  readonly user: BrowserUser | null;
  readonly sandbox: boolean;
  /** `http://127.0.0.1:1234`. */
  readonly proxyServer: string;
  /** Hash of a public key of this process, whose certificates Chromium takes; null: none. */
  readonly ownKeyHash: string | null;
  /** The program Xvfb; null: windows need none here, or cannot be had. */
  readonly xvfb: string | null;
}

/** Starts a browser; whoever calls closes it. Never rejects. */
export async function launch<L extends Lane>(
  parts: LaunchParts,
  found: FoundBrowser,
  headless: boolean,
  lane: L,
): Promise<LaunchedBrowser<L> | Failure> {
  const { folders, user, sandbox, proxyServer, ownKeyHash, xvfb } = parts;
  const { runDir } = folders;
  let display: Display | null = null;
  try {
    await makeHome(folders);
    if (!headless && xvfb !== null) display = await startDisplay(xvfb, runDir, user);
  } catch (error) {
    return failure('browser.down', `${found.type} did not start: ${(error as Error).message}.`);
  }
  const ask = { found, headless, lane, sandbox, proxyServer, ownKeyHash, runDir, user, display };
  return launchChromium(ask);
}
