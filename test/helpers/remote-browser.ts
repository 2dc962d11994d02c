import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiums } from '../adapters/browser/stage.ts';
import { freePort } from './free-port.ts';
import { ROOT } from './repository.ts';

/** A browser in a process of its own, as on another machine. */
export interface RemoteProcess extends AsyncDisposable {
  /** Of the endpoint. */
  readonly url: string;
  kill(): Promise<void>;
}

/** A Chromium with a debugging port. @param port 0: any free one */
export async function startChromium(port = 0, args: readonly string[] = []): Promise<RemoteProcess> {
  const { path, env } = (await chromiums())[0]!;
  const profile = mkdtempSync(join(tmpdir(), 'sluice-remote-'));
  return start(
    path,
    [
      ...['--no-sandbox', '--headless', '--disable-gpu', '--no-first-run', `--remote-debugging-port=${port}`],
      ...[`--user-data-dir=${profile}`, ...args, 'about:blank'],
    ],
    { ...env, HOME: profile },
    (output) => /DevTools listening on ws:\/\/([^/\s]+)/.exec(output)?.[1] ?? null,
    () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }),
  ).then((process) => ({ ...process, url: `http://${process.url}` }));
}

const SERVER = `
import { chromium } from 'playwright-core';
const [path, port, args] = process.argv.slice(1);
const server = await chromium.launchServer({
  executablePath: path, port: Number(port), host: '127.0.0.1', wsPath: '/pw', args: JSON.parse(args),
});
console.log('listening on ' + server.wsEndpoint());
process.on('SIGTERM', () => server.kill().then(() => process.exit(0)));
`;

/** A server of Playwright with a browser. @param version of Playwright that it pretends to be */
export async function startPlaywrightServer({
  port = 0,
  version,
}: {
  readonly port?: number;
  readonly version?: string;
} = {}): Promise<RemoteProcess> {
  const { path, env } = (await chromiums())[0]!;
  return start(
    process.execPath,
    ['--input-type=module', '-e', SERVER, path, String(port), '[]'],
    { ...env, HOME: tmpdir(), ...(version === undefined ? {} : { PW_VERSION_OVERRIDE: version }) },
    (output) => /listening on (ws:\S+)/.exec(output)?.[1] ?? null,
  );
}

/** `playwright run-server`, which starts a browser for each connection. @returns also the headers that name the browser */
export async function startRunServer(): Promise<
  RemoteProcess & { readonly headers: Record<string, string> }
> {
  const { path, env } = (await chromiums())[0]!;
  const program = join(ROOT, 'node_modules/playwright-core/cli.js');
  const server = await start(
    process.execPath,
    [program, 'run-server', '--host', '127.0.0.1', '--port', String(await freePort()), '--unsafe'],
    { ...env, HOME: tmpdir() },
    (output) => /Listening on (ws:\S+)/.exec(output)?.[1] ?? null,
  );
  return {
    ...server,
    headers: { 'x-playwright-launch-options': JSON.stringify({ executablePath: path }) },
  };
}

async function start(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  urlIn: (output: string) => string | null,
  cleanUp: () => void = () => {},
): Promise<RemoteProcess> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (piece: Buffer) => {
      output += piece;
      const found = urlIn(output);
      if (found !== null) resolve(found);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    void exited.then(() => reject(new Error(`it ended: ${output}`)));
  });
  const kill = async () => {
    // The whole group, because a browser has many processes.
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
    await exited;
    cleanUp();
  };
  return { url, kill, [Symbol.asyncDispose]: kill };
}
