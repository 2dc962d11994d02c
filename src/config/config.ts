import { readFileSync, statSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { nearestName } from '../base/nearest-name.ts';
import type { Variable } from './parsers.ts';
import { VARIABLE_GROUPS, VARIABLES } from './variables.ts';

type Table = typeof VARIABLES;

/** The configuration, complete and frozen. Relative paths stay relative. */
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
      /** The path in `SLUICE_PROXIES`, or null. The caller reports the problems of that file, too. */
      readonly proxiesFile: string | null;
    };

/** By variable whose value is the path of a file: the text of that file, or why it cannot be read. */
type FileTexts = Readonly<
  Record<
    string,
    { readonly text: string; readonly error: null } | { readonly text: null; readonly error: string }
  >
>;

const variableEntries = Object.entries(VARIABLES) as [keyof Config, Variable<unknown>][];
const hasFileVariant = (variable: Variable<unknown>): boolean =>
  variable.secret === true && variable.noFile !== true;
const KNOWN_NAMES: ReadonlySet<string> = new Set<string>(
  variableEntries.flatMap(([, v]) => (hasFileVariant(v) ? [v.name, `${v.name}_FILE`] : [v.name])),
);

/** The variables whose value is the path of a file. */
const FILE_VARIABLES: readonly string[] = variableEntries.flatMap(([, v]) =>
  v.readsFile === true ? v.name : hasFileVariant(v) ? `${v.name}_FILE` : [],
);

/**
 * The configuration, or all problems with it. Pure, and never throws. An empty value counts as not set; names that do not
 * begin with SLUICE_ are ignored.
 */
export function parseConfig(env: Readonly<Record<string, string>>, files: FileTexts = {}): ConfigResult {
  const problems: ConfigProblem[] = [];
  const config: Record<string, unknown> = {};
  const isSet = new Set<keyof Config>();
  for (const [member, variable] of variableEntries) {
    const source = readVariable(variable, env, files);
    if (source.text !== null || source.problem !== null) isSet.add(member);
    if (source.problem !== null) problems.push({ variable: source.name, message: source.problem });
    else if (source.text === null) config[member] = variable.fallback;
    else {
      const parsed = variable.parse(source.text);
      if (parsed.problem === null) config[member] = parsed.value;
      else problems.push({ variable: source.name, message: parsed.problem });
    }
  }
  for (const name of Object.keys(env)) {
    if (name.startsWith('SLUICE_') && !KNOWN_NAMES.has(name) && trimmedValue(env, name) !== null) {
      problems.push({ variable: name, message: unknownVariableMessage(name) });
    }
  }
  problems.push(...databaseProblems(config as Partial<Config>));
  problems.push(...groupProblems(isSet));
  if (problems.length > 0) {
    const proxiesFile = (config.proxiesFile as string | null | undefined) ?? null;
    return { config: null, problems: Object.freeze(problems), proxiesFile };
  }
  return { config: Object.freeze(config) as Config, problems: null };
}

/** What has no meaning without a database, or with one. */
function databaseProblems(config: Partial<Config>): readonly ConfigProblem[] {
  const { databaseUrl, databaseDirectUrl, databaseReadUrl, redis, storageBytes } = VARIABLES;
  // A member is undefined if its own value is invalid.
  if (typeof config.databaseUrl === 'string')
    return typeof config.storageBytes === 'number'
      ? [{ variable: storageBytes.name, message: `cannot be set together with ${databaseUrl.name}` }]
      : [];
  if (config.databaseUrl === undefined) return [];
  if (config.role === 'api' || config.role === 'worker')
    return [{ variable: VARIABLES.role.name, message: `needs ${databaseUrl.name}, unless it is \`all\`` }];
  const values = [config.databaseDirectUrl, config.databaseReadUrl, config.redis];
  return [databaseDirectUrl, databaseReadUrl, redis]
    .filter((_, index) => (values[index] ?? null) !== null)
    .map(({ name }) => ({ variable: name, message: `needs ${databaseUrl.name}, too` }));
}

/** A problem for each group of which only some variables are set. */
function groupProblems(isSet: ReadonlySet<keyof Config>): readonly ConfigProblem[] {
  return VARIABLE_GROUPS.flatMap(({ required, optional }) => {
    const missing = required.filter((member) => !isSet.has(member)).map((member) => VARIABLES[member].name);
    const [first] = [...required, ...optional].filter((member) => isSet.has(member));
    if (first === undefined || missing.length === 0) return [];
    return { variable: VARIABLES[first].name, message: `needs ${missing.join(', ')}, too` };
  });
}

interface VariableText {
  /** The variable that the text comes from: the variable itself, or its `_FILE` variant. */
  readonly name: string;
  /** null: not set, or there is a problem. */
  readonly text: string | null;
  readonly problem: string | null;
}

function readVariable(
  variable: Variable<unknown>,
  env: Readonly<Record<string, string>>,
  files: FileTexts,
): VariableText {
  const { name } = variable;
  const ownValue = trimmedValue(env, name);
  const fileName = variable.readsFile === true ? name : `${name}_FILE`;
  const path =
    variable.readsFile === true ? ownValue : hasFileVariant(variable) ? trimmedValue(env, fileName) : null;
  if (path === null) return { name, text: ownValue, problem: null };
  if (ownValue !== null && fileName !== name) {
    return { name, text: null, problem: `must not be set together with ${fileName}; set one of them` };
  }
  const file = Object.hasOwn(files, fileName) ? files[fileName]! : { text: null, error: 'it was not read' };
  if (file.error !== null) {
    return { name: fileName, text: null, problem: `must name a readable file; ${file.error}` };
  }
  const text = file.text.trim();
  return text === ''
    ? { name: fileName, text: null, problem: 'must name a file that is not empty' }
    : { name: fileName, text, problem: null };
}

function trimmedValue(env: Readonly<Record<string, string>>, name: string): string | null {
  const text = Object.hasOwn(env, name) ? env[name]!.trim() : '';
  return text === '' ? null : text;
}

function unknownVariableMessage(name: string): string {
  if (/^SLUICE_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP))/.test(name)) {
    return 'is not a setting; Kubernetes sets it for a Service named "sluice": set `enableServiceLinks: false` on the pod, or name the Service otherwise';
  }
  const similar = nearestName(name, KNOWN_NAMES);
  return similar === null
    ? 'is not a setting of this service'
    : `is not a setting of this service; did you mean ${similar}?`;
}

/** Any key, password or bundle of certificates is smaller. The limit keeps a wrong path from filling the memory. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/**
 * The variables that begin with SLUICE_, from the environment and from the file `.env` in `cwd`; the environment wins.
 * Only this function, `machine.ts`, `login-file.ts` and `tracing.ts` read `process.env`. Throws if there is a `.env` that cannot be read.
 */
export function readEnvironment(cwd: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const source of [readDotEnv(cwd), process.env]) {
    for (const [name, text] of Object.entries(source)) {
      if (name.startsWith('SLUICE_') && text !== undefined) env[name] = text;
    }
  }
  return env;
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

/** Reads environment, `.env` and files. */
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

function readDotEnv(cwd: string): NodeJS.Dict<string> {
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

/** The rows of the table in docs/configuration.md, which is generated. */
export function configTable(): readonly ConfigRow[] {
  return Object.values<Variable<unknown>>(VARIABLES).map((variable) => ({
    name: hasFileVariant(variable) ? `${variable.name}[_FILE]` : variable.name,
    fallback: fallbackDoc(variable),
    doc: variable.doc,
  }));
}

function fallbackDoc({ fallback, fallbackText }: Variable<unknown>): string {
  if (fallbackText !== undefined) return fallbackText;
  if (fallback === null || (Array.isArray(fallback) && fallback.length === 0)) return '—';
  return `\`${String(fallback)}\``;
}

/**
 * The base URL if the operator has set none: the address at which the service listens.
 * @param port the port that was opened, if 0 (any free port) is configured
 */
export function defaultBaseUrl(host: string, port: number): string {
  // These mean "all addresses", which cannot be called.
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`;
}
