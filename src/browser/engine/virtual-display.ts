import { randomBytes } from 'node:crypto';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { OsUser } from '../../base/unprivileged-user.ts';
import { orTimeout } from '../../base/wait.ts';
import { isExecutable } from './installed-browsers.ts';
import { killProcessGroup, PROCESS_MARK, signalProcessGroup, startProcess } from './processes.ts';

const START_TIMEOUT_MS = 5_000;
const EXIT_TIMEOUT_MS = 1_000;
/** Of the last output of Xvfb, in an error. */
const MAX_OUTPUT_CHARACTERS = 300;
/** Pixels. Larger than the default viewport with the frame of a window. */
export const SCREEN_SIZE = { width: 1920, height: 1200 } as const;
const COLOUR_BITS = 24;

/** An X server without a screen, for one browser with windows. */
export interface VirtualDisplay {
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Searches for Xvfb in `PATH`. `xvfb` null: it is not needed (macOS), or not installed (then `noDisplayReason` is set). */
export async function findXvfb(
  searchPath: readonly string[],
): Promise<{ readonly xvfb: string | null; readonly noDisplayReason: string | null }> {
  if (process.platform === 'darwin') return { xvfb: null, noDisplayReason: null };
  for (const folder of searchPath) {
    const path = join(folder, 'Xvfb');
    if (await isExecutable(path)) return { xvfb: path, noDisplayReason: null };
  }
  return { xvfb: null, noDisplayReason: 'windows need a virtual display, and Xvfb is not installed' };
}

/**
 * Starts Xvfb as the user of the browser. It accepts no connections over the network, and local ones only with a secret that
 * only its browser has. Rejects with the reason when it does not start.
 */
export async function startVirtualDisplay(
  xvfb: string,
  runDir: string,
  user: OsUser | null,
): Promise<VirtualDisplay> {
  const folder = join(runDir, `${PROCESS_MARK}-${randomBytes(6).toString('hex')}`);
  const authFile = join(folder, 'authority');
  await mkdir(folder, { mode: 0o700 });
  try {
    await writeFile(authFile, xauthority(randomBytes(16)), { mode: 0o600 });
    if (user !== null) for (const path of [folder, authFile]) await chown(path, user.uid, user.gid);
    const args = [
      '-displayfd',
      '3',
      '-screen',
      '0',
      `${SCREEN_SIZE.width}x${SCREEN_SIZE.height}x${COLOUR_BITS}`,
      '-nolisten',
      'tcp',
      '-noreset',
      '-auth',
      authFile,
    ];
    const started = await startProcess({
      path: xvfb,
      args,
      cwd: folder,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder },
      user,
      pipes: 1,
    });
    if (started instanceof Error) throw started;
    const { pid, stdout, stderr, pipes, exited, closeStreams } = started;
    stdout.resume();
    const close = async () => {
      // On SIGTERM, Xvfb removes its lock and its socket from the temp folder.
      signalProcessGroup(pid, 'SIGTERM');
      await orTimeout(exited, EXIT_TIMEOUT_MS, null);
      await killProcessGroup(pid);
      closeStreams();
      await rm(folder, { recursive: true, force: true }).catch(() => {});
    };
    try {
      const number = await readDisplayNumber(pipes[0]!, stderr);
      return { env: { DISPLAY: `:${number}`, XAUTHORITY: authFile }, close };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

async function readDisplayNumber(output: Readable, stderr: Readable): Promise<string> {
  let lastOutput = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    lastOutput = (lastOutput + text).slice(-MAX_OUTPUT_CHARACTERS);
  });
  const firstLine = (async () => {
    let text = '';
    for await (const chunk of output.setEncoding('utf8')) {
      text += chunk;
      if (text.includes('\n')) return text.trim();
    }
    return '';
  })().catch(() => '');
  const number = await orTimeout(firstLine, START_TIMEOUT_MS, '');
  if (!/^\d+$/.test(number)) throw new Error(`Xvfb does not start: ${lastOutput.trim() || 'no output'}`);
  return number;
}

/** An Xauthority file (Xau library) with one entry for every display: family, address, number, name, data. */
function xauthority(cookie: Buffer): Buffer {
  const withLength = (bytes: Buffer) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const anyFamily = Buffer.from([0xff, 0xff]);
  const empty = withLength(Buffer.alloc(0));
  const name = withLength(Buffer.from('MIT-MAGIC-COOKIE-1'));
  return Buffer.concat([anyFamily, empty, empty, name, withLength(cookie)]);
}
