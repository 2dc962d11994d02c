import { readFileSync, statSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { nearestName } from '../base/nearest-name.ts';
import type { Variable } from './parsers.ts';
import { UNSUPPORTED_PREFIX, UNSUPPORTED_VARIABLES, VARIABLES } from './variables.ts';

type Table = typeof VARIABLES;

/** What the operator has decided, whole and frozen. Units stand in the names; paths are as given. */
export type Config = { readonly [K in keyof Table]: Table[K] extends Variable<infer T> ? T : never };

export interface ConfigProblem {
  readonly variable: string;
  /** What is wrong and what is allowed; never the value of a secret. */
  readonly message: string;
}

type ConfigResult =
  | { readonly config: Config; readonly problems: null }
  | {
      readonly config: null;
      readonly problems: readonly ConfigProblem[];
      /** The path in `SLUICE_PROXIES`, if there is one: what is wrong in that file belongs to what is wrong. */
      readonly proxiesFile: string | null;
    };

/** What was found in the files that variables name, by the name of the variable. */
type FileTexts = Readonly<
  Record<
    string,
    { readonly text: string; readonly error: null } | { readonly text: null; readonly error: string }
  >
>;

const entries = Object.entries(VARIABLES) as [keyof Config, Variable<unknown>][];
const hasFile = (variable: Variable<unknown>): boolean =>
  variable.secret === true && variable.noFile !== true;
const KNOWN_NAMES: ReadonlySet<string> = new Set<string>(
  entries.flatMap(([, v]) => (hasFile(v) ? [v.name, `${v.name}_FILE`] : [v.name])),
);

/** The variables whose value is the path of a file. */
const FILE_VARIABLES: readonly string[] = entries.flatMap(([, v]) =>
  v.readsFile === true ? v.name : hasFile(v) ? `${v.name}_FILE` : [],
);

/**
 * The configuration, or every problem with it at once. Pure, and never throws. An empty value counts as not set;
 * names that do not begin with SLUICE_ are of no interest.
 */
export function parseConfig(env: Readonly<Record<string, string>>, files: FileTexts = {}): ConfigResult {
  const problems: ConfigProblem[] = [];
  const config: Record<string, unknown> = {};
  for (const [member, variable] of entries) {
    const found = textOf(variable, env, files);
    if (found.message !== null) problems.push({ variable: found.name, message: found.message });
    else if (found.text === null) config[member] = variable.fallback;
    else {
      const parsed = variable.parse(found.text);
      if (parsed.wrong === null) config[member] = parsed.value;
      else problems.push({ variable: found.name, message: parsed.wrong });
    }
  }
  for (const name of Object.keys(env)) {
    if (name.startsWith('SLUICE_') && !KNOWN_NAMES.has(name) && trimmedValue(env, name) !== null) {
      problems.push({ variable: name, message: unknownVariableMessage(name) });
    }
  }
  if (problems.length > 0) {
    const proxiesFile = (config.proxiesFile as string | null | undefined) ?? null;
    return { config: null, problems: Object.freeze(problems), proxiesFile };
  }
  return { config: Object.freeze(config) as Config, problems: null };
}

interface VariableText {
  /** Where the text comes from: the variable, or its `_FILE`. */
  readonly name: string;
  readonly text: string | null;
  readonly message: string | null;
}

function textOf(
  variable: Variable<unknown>,
  env: Readonly<Record<string, string>>,
  files: FileTexts,
): VariableText {
  const { name } = variable;
  const plain = trimmedValue(env, name);
  const fileName = variable.readsFile === true ? name : `${name}_FILE`;
  const path = variable.readsFile === true ? plain : hasFile(variable) ? trimmedValue(env, fileName) : null;
  if (path === null) return { name, text: plain, message: null };
  if (plain !== null && fileName !== name) {
    return { name, text: null, message: `must not be set together with ${fileName}; set one of them` };
  }
  const file = Object.hasOwn(files, fileName) ? files[fileName]! : { text: null, error: 'it was not read' };
  if (file.error !== null) {
    return { name: fileName, text: null, message: `must name a readable file; ${file.error}` };
  }
  const text = file.text.trim();
  return text === ''
    ? { name: fileName, text: null, message: 'must name a file that is not empty' }
    : { name: fileName, text, message: null };
}

function trimmedValue(env: Readonly<Record<string, string>>, name: string): string | null {
  const text = Object.hasOwn(env, name) ? env[name]!.trim() : '';
  return text === '' ? null : text;
}

function unknownVariableMessage(name: string): string {
  if (UNSUPPORTED_VARIABLES.includes(name) || name.startsWith(UNSUPPORTED_PREFIX))
    return 'is not available in this version; unset it';
  if (/^SLUICE_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP))/.test(name)) {
    return 'is not a setting; Kubernetes sets it for a Service named "sluice": set `enableServiceLinks: false` on the pod, or name the Service otherwise';
  }
  const near = nearestName(name, [...KNOWN_NAMES, ...UNSUPPORTED_VARIABLES]);
  return near === null
    ? 'is not a setting of this service'
    : `is not a setting of this service; did you mean ${near}?`;
}

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
function readFiles(env: Readonly<Record<string, string>>, cwd: string): FileTexts {
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

interface ConfigRow {
  readonly name: string;
  /** Markdown; `—` when there is none. */
  readonly fallback: string;
  /** Markdown. */
  readonly doc: string;
}

/** The rows of the configuration table in the documentation, which is generated from them. */
export function configTable(): readonly ConfigRow[] {
  return Object.values<Variable<unknown>>(VARIABLES).map((variable) => ({
    name: variable.secret === true && variable.noFile !== true ? `${variable.name}[_FILE]` : variable.name,
    fallback: fallbackOf(variable),
    doc: variable.doc,
  }));
}

function fallbackOf({ fallback, fallbackText }: Variable<unknown>): string {
  if (fallbackText !== undefined) return fallbackText;
  if (fallback === null || (Array.isArray(fallback) && fallback.length === 0)) return '—';
  return `\`${String(fallback)}\``;
}

/**
 * The base URL when the operator has set none: where the service listens.
 * @param port the real one, after listening (it may have been configured as 0)
 */
export function defaultBaseUrl(host: string, port: number): string {
  // "All addresses" is nothing that a link could lead to.
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
