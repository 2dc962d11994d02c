import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { isObject } from '../domain/json-schema.ts';
import { type PrivateFile, privateFile } from './data-dir.ts';

/** A service that `sluice login` has stored. */
export interface Login {
  /** Without a slash at the end. */
  readonly url: string;
  readonly key: string;
}

/** Where programs of the user keep their settings, by the XDG Base Directory Specification, which ignores relative paths. */
export function configHome(): string {
  const folder = process.env.XDG_CONFIG_HOME ?? '';
  return isAbsolute(folder) ? folder : join(homedir(), '.config');
}

export const loginPath = (): string => join(configHome(), 'sluice', 'login.json');

/** null: nothing is stored. Throws if the file cannot be read, or has something else. */
export function readLogin(): Login | null {
  const text = file().read();
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || typeof value.url !== 'string' || typeof value.key !== 'string')
    throw new Error('it has no url and key');
  return { url: value.url, key: value.key };
}

/** Only the owner may read it. @param login null: delete it. Throws errors of the file system. */
export function writeLogin(login: Login | null): void {
  if (login !== null) mkdirSync(dirname(loginPath()), { recursive: true, mode: 0o700 });
  file().write(login === null ? null : `${JSON.stringify(login, null, 2)}\n`);
}

const file = (): PrivateFile => privateFile(loginPath());
