import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/** A name for loopback that Firefox, unlike `localhost`, does not treat as a secure context over http. */
export const UNTRUSTED_HOST = 'untrusted.test';

/** Switches off all requests that Firefox makes by itself. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.localDomains': UNTRUSTED_HOST,
  'services.settings.server': 'http://127.0.0.1:9',
  'toolkit.telemetry.enabled': false,
};
const READY = /^WebDriver BiDi listening on (ws:\S+)/;
const LIMIT_MS = 60_000;

/** Path of Firefox: that of `SLUICE_TEST_FIREFOX`, else the first one on the PATH; null: there is none. */
export function findFirefox(): string | null {
  const configured = process.env.SLUICE_TEST_FIREFOX;
  if (configured !== undefined && configured !== '') return configured;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const files = ['firefox', 'firefox-esr'].flatMap((name) => folders.map((folder) => join(folder, name)));
  return files.find((file) => existsSync(file)) ?? null;
}

/**
 * Opens the pages one after the other in a headless Firefox with a new profile, by WebDriver BiDi. Any certificate is
 * accepted. Settles when Firefox has ended, with its version, such as `153.7.0`.
 */
export async function visitWithFirefox(file: string, urls: readonly string[]): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'sluice-firefox-'));
  const lines = Object.entries(PREFERENCES).map(
    (pair) => `user_pref(${pair.map((p) => JSON.stringify(p))});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const env = { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' };
  const firefox = spawn(file, args, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(firefox, 'close');
  const signal = AbortSignal.timeout(LIMIT_MS);
  try {
    const bidi = await BidiConnection.open(`${await bidiUrl(firefox.stderr, signal)}/session`, signal);
    const { capabilities } = await bidi.send<{ capabilities: { browserVersion: string } }>('session.new', {
      capabilities: { alwaysMatch: { acceptInsecureCerts: true } },
    });
    const { contexts } = await bidi.send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
    for (const url of urls) {
      const context = contexts[0]!.context;
      await bidi.send('browsingContext.navigate', { context, url, wait: 'complete' });
    }
    return capabilities.browserVersion;
  } finally {
    process.kill(-firefox.pid!, 'SIGKILL');
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The URL of WebDriver BiDi, which Firefox prints at its start. */
async function bidiUrl(output: NodeJS.ReadableStream, signal: AbortSignal): Promise<string> {
  for await (const line of createInterface({ input: output, signal })) {
    const url = READY.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('Firefox did not start');
}

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly message?: string;
}

/** Sends commands of WebDriver BiDi, one at a time. */
class BidiConnection {
  readonly #socket: WebSocket;
  readonly #signal: AbortSignal;
  #lastId = 0;

  private constructor(socket: WebSocket, signal: AbortSignal) {
    this.#socket = socket;
    this.#signal = signal;
  }

  static async open(url: string, signal: AbortSignal): Promise<BidiConnection> {
    const socket = new WebSocket(url);
    await once(socket, 'open', { signal });
    return new BidiConnection(socket, signal);
  }

  async send<T>(method: string, params: object): Promise<T> {
    const id = ++this.#lastId;
    const reply = new Promise<T>((resolve, reject) => {
      this.#signal.addEventListener('abort', () => reject(new Error(`${method}: no answer`)));
      this.#socket.addEventListener('message', ({ data }) => {
        const { id: replyId, result, message } = JSON.parse(String(data)) as Reply;
        if (replyId !== id) return;
        if (result === undefined) reject(new Error(`${method}: ${message}`));
        else resolve(result as T);
      });
    });
    this.#socket.send(JSON.stringify({ id, method, params }));
    return reply;
  }
}
