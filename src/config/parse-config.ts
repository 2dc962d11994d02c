import { nearestName } from '../base/nearest-name.ts';
import type { Variable } from './variable.ts';
import { NOT_YET, NOT_YET_PREFIX, VARIABLES } from './variables.ts';

type Table = typeof VARIABLES;

/** What the operator has decided, whole and frozen. Units stand in the names; paths are as given. */
export type Config = { readonly [K in keyof Table]: Table[K] extends Variable<infer T> ? T : never };

export interface ConfigProblem {
  readonly variable: string;
  /** What is wrong and what is allowed; never the value of a secret. */
  readonly message: string;
}

export type ConfigResult =
  | { readonly config: Config; readonly problems: null }
  | {
      readonly config: null;
      readonly problems: readonly ConfigProblem[];
      /** The path in `SLUICE_PROXIES`, if there is one: what is wrong in that file belongs to what is wrong. */
      readonly proxiesFile: string | null;
    };

/** What was found in the files that variables name, by the name of the variable. */
export type FileTexts = Readonly<
  Record<
    string,
    { readonly text: string; readonly error: null } | { readonly text: null; readonly error: string }
  >
>;

const entries = Object.entries(VARIABLES) as [keyof Config, Variable<unknown>][];
const hasFile = (variable: Variable<unknown>): boolean =>
  variable.secret === true && variable.noFile !== true;
const known: ReadonlySet<string> = new Set<string>(
  entries.flatMap(([, v]) => (hasFile(v) ? [v.name, `${v.name}_FILE`] : [v.name])),
);

/** The variables whose value is the path of a file. */
export const FILE_VARIABLES: readonly string[] = entries.flatMap(([, v]) =>
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
    if (name.startsWith('SLUICE_') && !known.has(name) && given(env, name) !== null) {
      problems.push({ variable: name, message: whyUnknown(name) });
    }
  }
  if (problems.length > 0) {
    const proxiesFile = (config.proxiesFile as string | null | undefined) ?? null;
    return { config: null, problems: Object.freeze(problems), proxiesFile };
  }
  return { config: Object.freeze(config) as Config, problems: null };
}

interface Found {
  /** Where the text comes from: the variable, or its `_FILE`. */
  readonly name: string;
  readonly text: string | null;
  readonly message: string | null;
}

function textOf(variable: Variable<unknown>, env: Readonly<Record<string, string>>, files: FileTexts): Found {
  const { name } = variable;
  const plain = given(env, name);
  const fileName = variable.readsFile === true ? name : `${name}_FILE`;
  const path = variable.readsFile === true ? plain : hasFile(variable) ? given(env, fileName) : null;
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

function given(env: Readonly<Record<string, string>>, name: string): string | null {
  const text = Object.hasOwn(env, name) ? env[name]!.trim() : '';
  return text === '' ? null : text;
}

function whyUnknown(name: string): string {
  if (NOT_YET.includes(name) || name.startsWith(NOT_YET_PREFIX))
    return 'is not available in this version; unset it';
  if (/^SLUICE_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP))/.test(name)) {
    return 'is not a setting; Kubernetes sets it for a Service named "sluice": set `enableServiceLinks: false` on the pod, or name the Service otherwise';
  }
  const near = nearestName(name, [...known, ...NOT_YET]);
  return near === null
    ? 'is not a setting of this service'
    : `is not a setting of this service; did you mean ${near}?`;
}
