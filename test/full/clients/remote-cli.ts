import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { runChild } from '../../helpers/child.ts';
import { linkPage, type MadeSite, startMadeSite } from '../../helpers/made-site.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { useOwnService } from '../../helpers/service.ts';

/** The command of util-linux that runs another one on a terminal of its own. */
export const SCRIPT = '/usr/bin/script';

/** What the target has got at `/echo`. */
export interface Echo {
  readonly method: string;
  /** Base64. */
  readonly body: string;
  readonly type: string | null;
}

/** A service, a target with `/`, `/a` and `/echo`, and the command line with the URL and a key of that service, in a folder of its own. */
export function useRemoteCli() {
  const service = useOwnService();
  let site: MadeSite;
  const folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'));
  before(async () => {
    site = await startMadeSite((path, request, response) => {
      if (path === '/echo') {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const echo: Echo = {
            method: request.method!,
            body: Buffer.concat(chunks).toString('base64'),
            type: request.headers['content-type'] ?? null,
          };
          response.setHeader('content-type', 'application/json').end(JSON.stringify(echo));
        });
        return;
      }
      return path === '/' ? linkPage('Home', ['/a']) : path === '/a' ? linkPage('A', ['/']) : null;
    });
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  const environment = (env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    ...cleanEnvironment(),
    XDG_CONFIG_HOME: join(folder, 'config'),
    SLUICE_URL: service.base,
    SLUICE_KEY: service.key,
    SLUICE_DATA_DIR: join(folder, 'none'),
    ...env,
  });
  const run = (args: readonly string[], { input, env }: { input?: string; env?: NodeJS.ProcessEnv } = {}) =>
    runChild(SLUICE, args, {
      cwd: folder,
      env: environment(env),
      ...(input === undefined ? {} : { input }),
    });
  /** Runs the command on a terminal. */
  const onTerminal = (words: string, env: NodeJS.ProcessEnv = {}, input = '') =>
    runChild(SCRIPT, ['-qec', `stty cols 100; exec ${SLUICE} ${words}`, '/dev/null'], {
      cwd: folder,
      env: environment({ TERM: 'xterm', CI: undefined, ...env }),
      input,
    });
  return { service, site: () => site, folder, run, onTerminal };
}
