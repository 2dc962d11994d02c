import { randomBytes } from 'node:crypto';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { isProgram } from '../binary/installed.ts';
import type { BrowserUser } from './browser-user.ts';
import { OWN_MARK } from './own-process.ts';
import { endGroup, signalGroup } from './process-group.ts';
import { startProcess } from './start-process.ts';

const STARTING_MS = 5_000;
const ENDING_MS = 1_000;
/** More than the viewport that is asked for by default, with room for the frame of a window. */
const SCREEN = '1920x1200x24';

/** A screen that nobody sees, for one browser with windows. */
export interface Display {
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** The program Xvfb in `PATH`; null: windows need none here (macOS), or there is none, which is `noDisplay`. */
export async function findXvfb(
  searchPath: readonly string[],
): Promise<{ readonly xvfb: string | null; readonly noDisplay: string | null }> {
  if (process.platform === 'darwin') return { xvfb: null, noDisplay: null };
  for (const folder of searchPath) {
    const path = join(folder, 'Xvfb');
    if (await isProgram(path)) return { xvfb: path, noDisplay: null };
  }
  return { xvfb: null, noDisplay: 'windows need a virtual display, and Xvfb is not installed' };
}

/**
 * Starts Xvfb as the user of the browser, reachable only with a secret that it and its browser know, and not over the
 * network. Rejects with the reason when it does not start.
 */
export async function startDisplay(xvfb: string, runDir: string, user: BrowserUser | null): Promise<Display> {
  const folder = join(runDir, `${OWN_MARK}-${randomBytes(6).toString('hex')}`);
  const authFile = join(folder, 'authority');
  await mkdir(folder, { mode: 0o700 });
  try {
    await writeFile(authFile, authority(randomBytes(16)), { mode: 0o600 });
    if (user !== null) for (const path of [folder, authFile]) await chown(path, user.uid, user.gid);
    const args = [
      '-displayfd',
      '3',
      '-screen',
      '0',
      SCREEN,
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
    const { pid, stdout, stderr, pipes, ended, release } = started;
    stdout.resume();
    const close = async () => {
      // Asked to end, it takes its lock and its socket out of the temp folder.
      signalGroup(pid, 'SIGTERM');
      await Promise.race([ended, pause(ENDING_MS, undefined, { ref: false })]);
      await endGroup(pid);
      release();
      await rm(folder, { recursive: true, force: true }).catch(() => {});
    };
    try {
      const number = await displayNumber(pipes[0]!, stderr);
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

async function displayNumber(tells: Readable, stderr: Readable): Promise<string> {
  let lastWords = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-300);
  });
  const told = (async () => {
    let text = '';
    for await (const piece of tells.setEncoding('utf8')) {
      text += piece;
      if (text.includes('\n')) return text.trim();
    }
    return '';
  })().catch(() => '');
  const number = await Promise.race([told, pause(STARTING_MS, '', { ref: false })]);
  if (!/^\d+$/.test(number)) throw new Error(`Xvfb does not start: ${lastWords.trim() || 'no output'}`);
  return number;
}

/** An Xauthority file (Xau library) with one entry that fits every display: family, address, number, name, data. */
function authority(cookie: Buffer): Buffer {
  const counted = (bytes: Buffer) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  const anyFamily = Buffer.from([0xff, 0xff]);
  const none = counted(Buffer.alloc(0));
  return Buffer.concat([anyFamily, none, none, counted(Buffer.from('MIT-MAGIC-COOKIE-1')), counted(cookie)]);
}
