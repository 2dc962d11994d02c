import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type ConfigResult, FILE_VARIABLES, type FileTexts, parseConfig } from './parse-config.ts';

/** Larger than any key, password or bundle of certificates; a wrong path must not fill the memory. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/**
 * The variables that begin with SLUICE_, of the environment and of the file `.env` in `cwd`; the environment wins.
 * With surroundings.ts and library-threads.ts the only place that touches `process.env`. Throws when there is a `.env` that cannot be read.
 */
export function readEnvironment(cwd: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const source of [dotEnv(cwd), process.env]) {
    for (const [name, text] of Object.entries(source)) {
      if (name.startsWith('SLUICE_') && text !== undefined) found[name] = text;
    }
  }
  return found;
}

/** Reads the files that variables name (`…_FILE`, `SLUICE_CA_FILE`); relative paths are relative to `cwd`. */
export function readFiles(env: Readonly<Record<string, string>>, cwd: string): FileTexts {
  const files: Record<string, FileTexts[string]> = {};
  for (const name of FILE_VARIABLES) {
    const path = env[name]?.trim() ?? '';
    if (path === '') continue;
    try {
      files[name] = { text: readSmallFile(resolve(cwd, path)), error: null };
    } catch (error) {
      files[name] = { text: null, error: error instanceof Error ? error.message : String(error) };
    }
  }
  return files;
}

/** Environment, `.env` and files together: the configuration, or all that is wrong with it. */
export function loadConfig(cwd: string): ConfigResult {
  let env: Record<string, string>;
  try {
    env = readEnvironment(cwd);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const problems = [{ variable: '.env', message: `cannot be read; ${message}` }];
    return { config: null, problems, proxiesFile: null };
  }
  return parseConfig(env, readFiles(env, cwd));
}

function dotEnv(cwd: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readSmallFile(join(cwd, '.env')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

function readSmallFile(path: string): string {
  const info = statSync(path);
  if (info.isDirectory()) throw new Error(`${path} is a folder`);
  if (info.size > MAX_FILE_BYTES) throw new Error(`${path} is larger than 4 MiB`);
  return readFileSync(path, 'utf8');
}
