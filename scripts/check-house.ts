/** Checks the rules of this repository that no other tool checks. Usage: check-house.ts [folder of the repository] */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const MAX_LINES = 500;
const MAX_FUNCTION_LINES = 60;
/** The files that run a scrape, in which functions must be short: they are read more than all others. */
const SHORT_FUNCTION_FILES = /^src\/pipeline\/(run|attempt)[a-z0-9-]*\.ts$/;
/** Tables of data may be longer: more rows do not make them harder to understand. */
const TABLES = ['src/domain/failure.ts'];

/** No file that `appliesTo` may contain the pattern. */
interface Rule {
  readonly message: string;
  readonly appliesTo: (file: string) => boolean;
  readonly pattern: RegExp;
}

const isServiceSource = (file: string) => /^src\/.*\.ts$/.test(file);
const isDashboardSource = (file: string) =>
  /^dashboard\/src\/.*\.tsx?$/.test(file) && !file.endsWith('.gen.ts');
const isClientSource = (file: string) =>
  /^clients\/typescript\/src\/.*\.ts$/.test(file) && !file.endsWith('.gen.ts');
const isSource = (file: string) => isServiceSource(file) || isDashboardSource(file) || isClientSource(file);
const isOurText = (file: string) => file !== 'package-lock.json' && file !== 'LICENSE';
// In pieces, so that this file does not break its own rule.
const unfinished = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'HA' + 'CK'].join('|')})\\b`);
const workspace = new RegExp(
  ['/wo' + 'rk/(main|shared|\\.library)', '\\bsha' + 'red/[a-z]+', '/tm' + 'p/brief'].join('|'),
);

/** Writes programs for callers, which read the environment and print. */
const WRITES_PROGRAMS = 'src/snippets/sdk.ts';

const RULES: readonly Rule[] = [
  {
    message: 'the environment is read in src/config only',
    appliesTo: (file) => isServiceSource(file) && !file.startsWith('src/config/') && file !== WRITES_PROGRAMS,
    pattern:
      /\bprocess\.env\b|\bprocess\[['"]env['"]\]|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*['"]node:process['"]/,
  },
  {
    message: 'no console; log through src/observe, or in main.ts',
    appliesTo: (file) => isServiceSource(file) && file !== 'src/main.ts' && file !== WRITES_PROGRAMS,
    pattern: /\bconsole\.(log|error|warn|info|debug)\(/,
  },
  {
    message: 'only main.ts may call process.exit; elsewhere the process ends when its work has ended',
    appliesTo: (file) => isServiceSource(file) && file !== 'src/main.ts',
    pattern: /\bprocess\.exit\(/,
  },
  {
    message:
      'describe a route with endpoint(); only POST /scrape/, /mcp, the pages of the dashboard, and responses during a migration are registered by hand',
    appliesTo: (file) =>
      file.startsWith('src/http/') &&
      ![
        'core/endpoint.ts',
        'endpoints/scrape.ts',
        'server/dashboard.ts',
        'server/mcp.ts',
        'server/migrating.ts',
      ].includes(file.slice('src/http/'.length)),
    pattern: /\bapp\.(?:get|post|put|patch|delete|all|route)\b[<(]/,
  },
  {
    message: 'no barrel files: import from the file that declares',
    appliesTo: isSource,
    pattern: /^export \* from/m,
  },
  { message: 'named exports only', appliesTo: isSource, pattern: /^export default\b/m },
  {
    message: 'use isFailure of src/domain/failure.ts to tell a failure from a value',
    appliesTo: (file) => isServiceSource(file) && file !== 'src/domain/failure.ts',
    pattern: /['"]code['"] in\b/,
  },
  { message: 'no notes about unfinished work in the code', appliesTo: isOurText, pattern: unfinished },
  {
    message: 'markup comes from components, never from a string',
    appliesTo: isDashboardSource,
    pattern: /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML|document\.write/,
  },
  {
    message: 'endpoints do not import each other: what several use is in src/http/operations',
    appliesTo: (file) => file.startsWith('src/http/endpoints/'),
    pattern: /from '\.\//,
  },
  {
    message: 'no `only`: it skips all other tests',
    appliesTo: (file) => file.endsWith('.test.ts'),
    pattern: /\b(test|it|describe)\.only\(|\bonly: true\b/,
  },
  {
    message: 'assert what a page shows with expect() of test/dashboard/expect.ts, which waits until it is so',
    appliesTo: (file) => /^test\/(?:(?:full|long)\/)?dashboard\/.*\.ts$/.test(file),
    pattern:
      /\bassert(?:\.\w+)?\([^;]*?\bawait [^;]*?\.(?:count|is(?:Visible|Hidden|Enabled|Disabled|Editable|Checked)|(?:text|allText)Contents?|(?:inner|allInner)Texts?|inputValue|getAttribute)\(/,
  },
  {
    message: 'no paths of the machine that the repository was written on',
    // .ci/run looks for the conformance data beside the repository.
    appliesTo: (file) => isOurText(file) && file !== '.ci/run',
    pattern: workspace,
  },
];

const RELATIVE_LINK = /\]\((?![a-z]+:|#|\/)([^)#\s]+)[^)]*\)/g;
/** A path from the root of the repository, or the end of such a path. */
const FILE_NAME =
  /(?<![\w./<*-])((?:src|test|scripts|bench|dashboard|docs)\/)?((?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|cjs|jsonl|md|sql))\b/g;
const EXPORTED_TYPE =
  /^export (?:declare )?(?:abstract )?(?:const )?(?:type|interface|class|enum) ([A-Za-z_$][\w$]*)/gm;

const exists = (path: string) => existsSync(join(root, path));

/** The comments of a source text, line by line. */
const comments = (text: string) =>
  text
    .split('\n')
    .map((line) => /^\s*(?:\/?\*|\/\/).*|(?<=\s)\/\/ .*/.exec(line)?.[0] ?? '')
    .join('\n');

/** A rule about a whole file; returns the error message, or null. */
type FileRule = (file: string, text: string) => string | null;

const FILE_RULES: readonly FileRule[] = [
  (file, text) => {
    const lines = text.split('\n').length - 1;
    const long = isSource(file) && lines > MAX_LINES && !TABLES.includes(file);
    return long ? `${lines} lines; at most ${MAX_LINES} are allowed` : null;
  },
  (file, text) => {
    const uncleared = ['Timeout', 'Interval'].find(
      (kind) => new RegExp(`(?<![.\\w])set${kind}\\(`).test(text) && !text.includes(`clear${kind}(`),
    );
    return isSource(file) && uncleared !== undefined
      ? `set${uncleared} without clear${uncleared}: clear the timer in the same file`
      : null;
  },
  (file) => {
    const name = basename(file).replace(/(\.test|\.d)?\.(tsx?|mjs|cjs)$/, '');
    const invalid = isSource(file) && (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name === 'index');
    return invalid ? 'file names are kebab-case and say what is inside (no index.ts)' : null;
  },
  (file, text) => {
    const [outside] = isDashboardSource(file)
      ? [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)].filter(([, to]) => leaves(file, to!))
      : [];
    return outside === undefined
      ? null
      : `${outside[1]}: the dashboard may import nothing outside of dashboard/src but src/snippets`;
  },
  (file) =>
    /^(dashboard\/)?src\/.*\b(utils?|helpers?|common|misc)\//.test(file)
      ? 'name the folder for what it contains, not utils, helpers, common or misc'
      : null,
  (file, text) => {
    const missing = file.endsWith('.md')
      ? [...text.matchAll(RELATIVE_LINK)].find(([, to]) => !exists(posix.join(dirname(file), to!)))
      : undefined;
    return missing === undefined ? null : `${missing[1]}: the file that the link names does not exist`;
  },
  (file, text) => {
    // These describe earlier states, with files that may be gone.
    if (file.startsWith('docs/history/') || file === 'CHANGELOG.md') return null;
    const prose = file.endsWith('.md') ? text : /\.(tsx?|mjs|cjs)$/.test(file) ? comments(text) : '';
    const missing = [...prose.matchAll(FILE_NAME)].find(([, folder, name]) =>
      folder === undefined ? !names.has(basename(name!)) : !exists(folder + name),
    );
    return missing === undefined ? null : `${missing[0]}: this file is named here, but does not exist`;
  },
  (file, text) => (SHORT_FUNCTION_FILES.test(file) ? longFunction(file, text) : null),
  (file) => {
    const path = /^src\/.*\/(?:reader|writer|checkpoint)-thread\.ts$/.test(file) ? pathToKysely(file) : null;
    return path === null
      ? null
      : `${path.join(' → ')}: each thread would load all of Kysely at the start; import a type, or a file without it`;
  },
];

/** The imports that load Kysely with a file, type imports left out; null: nothing does. */
function pathToKysely(file: string, seen = new Set<string>()): readonly string[] | null {
  seen.add(file);
  const text = exists(file) ? readFileSync(join(root, file), 'utf8') : '';
  for (const [, to] of text.matchAll(/^import (?!type )[^;]*? from '([^']+)'/gm)) {
    if (to === 'kysely') return [file, to];
    const next = posix.join(dirname(file), to!);
    const path = to!.startsWith('.') && !seen.has(next) ? pathToKysely(next, seen) : null;
    if (path !== null) return [file, ...path];
  }
  return null;
}

/** An error message about the first function that is too long; null: there is none. */
function longFunction(file: string, text: string): string | null {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const find = (node: ts.Node): string | undefined => {
    const [first, last] = [lineOf(node.getStart(tree)), lineOf(node.end)];
    const lines = last - first + 1;
    return ts.isFunctionLike(node) && lines > MAX_FUNCTION_LINES
      ? `the function at line ${first} has ${lines} lines; at most ${MAX_FUNCTION_LINES} are allowed`
      : ts.forEachChild(node, find);
  };
  return find(tree) ?? null;
}

/** Whether an import of `file` leads out of the dashboard. The room `snippets` is for it and for the documentation (decision 60). */
const leaves = (file: string, to: string) =>
  !/^(?:dashboard\/src|src\/snippets)\//.test(posix.join(dirname(file), to));

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const files = listed.split('\n').filter((file) => file !== '' && exists(file));
const names = new Set(files.map((file) => basename(file)));
const complaints: string[] = [];
/** Exported type → the file that declares it, separately for the service, the dashboard and the client. */
const declaredIn = new Map<string, string>();
let count = 0;
for (const file of files) {
  const bytes = readFileSync(join(root, file));
  // As git does, a file with a NUL byte near its start is taken for binary.
  if (bytes.subarray(0, 8000).includes(0)) continue;
  count++;
  const text = bytes.toString('utf8');
  for (const rule of RULES) {
    if (!rule.appliesTo(file)) continue;
    const hit = rule.pattern.exec(text);
    if (hit === null) continue;
    const line = text.slice(0, hit.index).split('\n').length;
    complaints.push(`${file}:${line}: ${rule.message} (${hit[0].slice(0, 40).trim()})`);
  }
  for (const rule of FILE_RULES) {
    const complaint = rule(file, text);
    if (complaint !== null) complaints.push(`${file}: ${complaint}`);
  }
  if (!isSource(file)) continue;
  for (const [, name] of text.matchAll(EXPORTED_TYPE)) {
    const key = `${file.slice(0, file.indexOf('src/'))} ${name}`;
    const other = declaredIn.get(key) ?? file;
    if (other !== file) complaints.push(`${file}: ${name} is also declared in ${other}`);
    declaredIn.set(key, other);
  }
}

const version = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
const changelog = existsSync(join(root, 'CHANGELOG.md'))
  ? readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  : '';
if (!changelog.includes(`## [${version}]`)) complaints.push(`CHANGELOG.md has no section for ${version}`);

for (const complaint of complaints) console.error(complaint);
console.log(`house: ${count} files`);
process.exitCode = complaints.length === 0 ? 0 : 1;
