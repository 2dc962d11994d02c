import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/** A name for loopback that, unlike `localhost`, is not trusted as if it were https. */
export const UNTRUSTED_HOST = 'untrusted.test';

/** Nothing is asked of the outside, and nothing but the given pages of the inside. */
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

/** Where a Firefox is: what `SLUICE_TEST_FIREFOX` names, else the first of the path; null: nowhere. */
export function findFirefox(): string | null {
  const given = process.env.SLUICE_TEST_FIREFOX;
  if (given !== undefined && given !== '') return given;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const files = ['firefox', 'firefox-esr'].flatMap((name) => folders.map((folder) => join(folder, name)));
  return files.find((file) => existsSync(file)) ?? null;
}

/**
 * Has a Firefox without windows and with a profile of its own open the pages one after the other, whatever their
 * certificates, by WebDriver BiDi; settles when it has ended. Returns its version, `153.7.0`.
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
    const talk = await Talk.open(`${await announced(firefox.stderr, signal)}/session`, signal);
    const { capabilities } = await talk.ask<{ capabilities: { browserVersion: string } }>('session.new', {
      capabilities: { alwaysMatch: { acceptInsecureCerts: true } },
    });
    const { contexts } = await talk.ask<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
    for (const url of urls) {
      const context = contexts[0]!.context;
      await talk.ask('browsingContext.navigate', { context, url, wait: 'complete' });
    }
    return capabilities.browserVersion;
  } finally {
    process.kill(-firefox.pid!, 'SIGKILL');
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function announced(output: NodeJS.ReadableStream, signal: AbortSignal): Promise<string> {
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

/** Commands of WebDriver BiDi, one at a time. */
class Talk {
  readonly #socket: WebSocket;
  readonly #signal: AbortSignal;
  #last = 0;

  private constructor(socket: WebSocket, signal: AbortSignal) {
    this.#socket = socket;
    this.#signal = signal;
  }

  static async open(url: string, signal: AbortSignal): Promise<Talk> {
    const socket = new WebSocket(url);
    await once(socket, 'open', { signal });
    return new Talk(socket, signal);
  }

  async ask<T>(method: string, params: object): Promise<T> {
    const id = ++this.#last;
    const reply = new Promise<T>((resolve, reject) => {
      this.#signal.addEventListener('abort', () => reject(new Error(`${method}: no answer`)));
      this.#socket.addEventListener('message', ({ data }) => {
        const { id: of, result, message } = JSON.parse(String(data)) as Reply;
        if (of !== id) return;
        if (result === undefined) reject(new Error(`${method}: ${message}`));
        else resolve(result as T);
      });
    });
    this.#socket.send(JSON.stringify({ id, method, params }));
    return reply;
  }
}
