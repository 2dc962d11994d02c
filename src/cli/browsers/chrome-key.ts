import { execFile } from 'node:child_process';
import { pbkdf2Sync } from 'node:crypto';
import { promisify } from 'node:util';
import { CommandError } from '../core/command.ts';
import { BY_FILE } from './browser-cookie.ts';

const run = promisify(execFile);

/** The browser's names in the keyrings of the systems. */
export interface ChromeNames {
  /** As people know it. */
  readonly title: 'Chrome' | 'Chromium';
  /** The attribute `application` at the Secret Service. */
  readonly application: 'chrome' | 'chromium';
}

/** While a keyring is locked, the user is asked for its password. */
const UNLOCK_MS = 120_000;
const KEY_BYTES = 16;

/** The key that Chromium derives from a password (`os_crypt_linux.cc`, `os_crypt_mac.mm`). */
const keyOf = (password: string, rounds: number): Buffer =>
  pbkdf2Sync(password, 'saltysalt', rounds, KEY_BYTES, 'sha1');

/**
 * The keys of cookies with this prefix, of which one is right; null: the prefix is unknown.
 * @param prefix `v10` or `v11`
 * @throws CommandError if the keyring does not give the password
 */
export async function chromeKeys(
  prefix: string,
  names: ChromeNames,
  platform: NodeJS.Platform,
): Promise<readonly Buffer[] | null> {
  if (platform === 'darwin') return prefix === 'v10' ? [keyOf(await passwordOfKeychain(names), 1_003)] : null;
  // Without a keyring Chromium encrypts with a password that everybody knows.
  if (prefix === 'v10') return [keyOf('peanuts', 1)];
  // Some versions wrote with an empty password where the keyring did not answer (crbug.com/1195256).
  if (prefix === 'v11') return [keyOf(await passwordOfSecretService(names), 1), keyOf('', 1)];
  return null;
}

async function passwordOfKeychain({ title }: ChromeNames): Promise<string> {
  const item = `${title} Safe Storage`;
  try {
    const { stdout } = await run('security', ['find-generic-password', '-w', '-a', title, '-s', item], {
      timeout: UNLOCK_MS,
    });
    return stdout.replace(/\n$/, '');
  } catch {
    throw new CommandError(
      `the Keychain did not give "${item}", the key of the cookies: allow it when you are asked, or ${BY_FILE}`,
    );
  }
}

async function passwordOfSecretService({ title, application }: ChromeNames): Promise<string> {
  const schema = ['xdg:schema', 'chrome_libsecret_os_crypt_password_v2'];
  for (const attributes of [schema, []]) {
    const found = await lookUp([...attributes, 'application', application], title);
    if (found !== '') return found;
  }
  throw new CommandError(
    `the keyring has no key of ${title}, or is locked: unlock it, or ${BY_FILE}. Keys in KWallet cannot be read`,
  );
}

/** @returns empty: there is none */
async function lookUp(attributes: readonly string[], title: string): Promise<string> {
  try {
    const { stdout } = await run('secret-tool', ['lookup', ...attributes], { timeout: UNLOCK_MS });
    return stdout.replace(/\n$/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return '';
    throw new CommandError(
      `the key of the cookies of ${title} is in the keyring (Secret Service), and secret-tool is not installed: install it (Debian and Ubuntu: libsecret-tools, Fedora: libsecret), or ${BY_FILE}`,
    );
  }
}
