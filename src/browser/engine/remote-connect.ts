import type { Browser } from 'playwright-core';
import { orTimeout } from '../../base/wait.ts';
import type { BrowserType } from '../../domain/browser-options.ts';
import type { RemoteBrowser } from '../../domain/remote-browsers.ts';
import { browserIdentity, withIdentity } from './user-agent.ts';
import { openWebSocketTransport, withOwnContexts } from './web-socket-transport.ts';

/** A connection to a remote browser. It has no pages but those that it opens itself. */
export interface RemoteConnection {
  readonly browser: Browser;
  /** Of the browser: `153.0.8010.0`. */
  readonly version: string;
  readonly headless: boolean;
  /** Closes the contexts of this connection, and the connection; the browser goes on. Never rejects. */
  close(): Promise<void>;
}

/** Older versions lack parts of the Chrome DevTools Protocol that scrapes need, such as `redirectedRequestId`. */
export const MIN_CHROMIUM = 120;
/** Until the browser can open a page. A server of Playwright may start a browser meanwhile. */
const CONNECT_TIMEOUT_MS = 15_000;
const CLOSE_TIMEOUT_MS = 3_000;

/**
 * Connects after the version was checked, within 15 s. Rejects with an error that tells the operator why it cannot be used.
 * @param type that its pages report in client hints
 */
export async function connectRemote(remote: RemoteBrowser, type: BrowserType): Promise<RemoteConnection> {
  const connecting = remote.kind === 'cdp' ? connectCdp(remote, type) : connectPlaywright(remote);
  const connection = await orTimeout(connecting, CONNECT_TIMEOUT_MS, null);
  if (connection !== null) return connection;
  connecting.then((late) => late.close()).catch(() => {});
  throw new Error(`it did not respond within ${CONNECT_TIMEOUT_MS / 1000} s`);
}

async function connectCdp({ url, headers }: RemoteBrowser, type: BrowserType): Promise<RemoteConnection> {
  const endpoint = /^ws/i.test(url) ? url : await debuggerUrl(url, headers);
  const socket = await openWebSocketTransport(endpoint, { headers, timeoutMs: CONNECT_TIMEOUT_MS });
  try {
    const facts = await readVersion(socket);
    const { version, headless } = facts;
    checkChromium(facts);
    const identity = browserIdentity(type, version);
    const { chromium } = await import('playwright-core');
    const transport = withIdentity(withOwnContexts(socket), identity, headless);
    const browser = await chromium.connectOverCDP(transport, {
      noDefaults: true,
      timeout: CONNECT_TIMEOUT_MS,
    });
    return { browser, version, headless, close: closerOf(browser) };
  } catch (error) {
    socket.close();
    throw error;
  }
}

interface VersionInfo {
  readonly product: string;
  readonly userAgent: string;
}

interface BrowserFacts {
  readonly product: string;
  /** Four numbers; `''`: it tells none. */
  readonly version: string;
  readonly headless: boolean;
}

const browserFacts = ({ product, userAgent }: VersionInfo): BrowserFacts => ({
  product,
  version: /\/(\d+(?:\.\d+)*)/.exec(product)?.[1] ?? '',
  headless: userAgent.includes('Headless') || product.includes('Headless'),
});

function checkChromium({ product, version }: BrowserFacts): void {
  const isChromium = /^(?:Headless)?(?:Chrome|Chromium|Edg)\//.test(product);
  if (isChromium && Number.parseInt(version, 10) >= MIN_CHROMIUM) return;
  throw new Error(`its version is ${product.slice(0, 100)}, but Chromium ${MIN_CHROMIUM} or later is needed`);
}

/** The URL of the WebSocket that a debugging port names (`/json/version`). */
async function debuggerUrl(url: string, headers: RemoteBrowser['headers']): Promise<string> {
  const base = new URL(url);
  if (base.pathname === '/') base.pathname = '/json/version';
  const response = await fetch(base, {
    headers,
    redirect: 'error',
    signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${base.pathname} answered with status ${response.status}`);
  const socketUrl = URL.parse(webSocketUrlOf(text) ?? '');
  if (socketUrl === null) throw new Error(`${base.pathname} names no webSocketDebuggerUrl`);
  // A browser names its own address, which is loopback if a proxy is before it.
  if (/^(?:localhost|127\.|0\.0\.0\.0|\[::1?\])/.test(socketUrl.hostname)) {
    socketUrl.host = base.host;
    if (base.port === '') socketUrl.port = '';
    socketUrl.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
  }
  return socketUrl.href;
}

function webSocketUrlOf(text: string): string | null {
  try {
    const { webSocketDebuggerUrl } = JSON.parse(text) as { webSocketDebuggerUrl?: unknown };
    return typeof webSocketDebuggerUrl === 'string' ? webSocketDebuggerUrl : null;
  } catch {
    return null;
  }
}

interface VersionReply {
  readonly id?: number;
  readonly result?: VersionInfo;
  readonly error?: { readonly message: string };
}

/** Sends `Browser.getVersion` before anything else. */
async function readVersion(
  transport: Awaited<ReturnType<typeof openWebSocketTransport>>,
): Promise<BrowserFacts> {
  const reply = new Promise<VersionReply>((resolve, reject) => {
    transport.onmessage = (message) => {
      if ((message as VersionReply).id === 0) resolve(message);
    };
    transport.onclose = () => reject(new Error('it closed the connection'));
    transport.send({ id: 0, method: 'Browser.getVersion' });
  });
  const answer = await reply;
  if (answer.result === undefined)
    throw new Error(`it does not report its version: ${answer.error?.message}`);
  return browserFacts(answer.result);
}

async function connectPlaywright({ url, headers }: RemoteBrowser): Promise<RemoteConnection> {
  const { chromium } = await import('playwright-core');
  let browser: Browser;
  try {
    // The server checks the version in the `User-Agent`, before the connection is made.
    browser = await chromium.connect(url, { headers, timeout: CONNECT_TIMEOUT_MS });
  } catch (error) {
    throw versionMismatch((error as Error).message) ?? error;
  }
  const close = closerOf(browser);
  try {
    const session = await browser.newBrowserCDPSession();
    const facts = browserFacts(await session.send('Browser.getVersion'));
    await session.detach();
    checkChromium(facts);
    return { browser, version: facts.version, headless: facts.headless, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Both versions of Playwright, if the server has refused ours. null: it has not. */
function versionMismatch(message: string): Error | null {
  const server = /server version: v?([\d.]+)/i.exec(message)?.[1];
  const client = /client version: v?([\d.]+)/i.exec(message)?.[1];
  if (server === undefined || client === undefined) return null;
  return new Error(`its Playwright is version ${server}, but Sluice has ${client}: both must be the same`);
}

const closerOf = (browser: Browser) => async (): Promise<void> => {
  await orTimeout(
    browser.close().catch(() => {}),
    CLOSE_TIMEOUT_MS,
    undefined,
  );
};
