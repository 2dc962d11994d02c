/** The rules of the house that no other tool checks. Usage: check-house.ts [folder of the repository] */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const LONGEST = 500;
/** Everybody reads what runs a scrape: its functions are kept short. */
const LONGEST_FUNCTION = 60;
const RUNNING = /^src\/pipeline\/(run|attempt)[a-z0-9-]*\.ts$/;
/** Tables of data, where one more row is not one more thing to understand. */
const TABLES = ['src/domain/failure.ts'];

interface Rule {
  readonly what: string;
  readonly in: (file: string) => boolean;
  readonly pattern: RegExp;
}

const source = (file: string) => /^src\/.*\.ts$/.test(file);
const page = (file: string) => /^dashboard\/src\/.*\.tsx?$/.test(file) && !file.endsWith('.gen.ts');
const code = (file: string) => source(file) || page(file);
const written = (file: string) => file !== 'package-lock.json' && file !== 'LICENSE';
// In pieces, so that this file does not break its own rule.
const unfinished = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'HA' + 'CK'].join('|')})\\b`);
const workspace = new RegExp(
  ['/wo' + 'rk/(main|shared|\\.library)', '\\bsha' + 'red/[a-z]+', '/tm' + 'p/brief'].join('|'),
);

const RULES: readonly Rule[] = [
  {
    what: 'the environment is read in src/config only',
    in: (file) => source(file) && !file.startsWith('src/config/'),
    pattern:
      /\bprocess\.env\b|\bprocess\[['"]env['"]\]|import\s*\{[^}]*\benv\b[^}]*\}\s*from\s*['"]node:process['"]/,
  },
  {
    what: 'no console; say it through observe, or in main.ts',
    in: (file) => source(file) && file !== 'src/main.ts',
    pattern: /\bconsole\.(log|error|warn|info|debug)\(/,
  },
  {
    what: 'the process ends when its work has ended; only main.ts may cut it short',
    in: (file) => source(file) && file !== 'src/main.ts',
    pattern: /\bprocess\.exit\(/,
  },
  {
    what: 'routes are made of endpoints; only the scrape and the pages of the dashboard are made by hand',
    in: (file) =>
      file.startsWith('src/http/') &&
      !['endpoint.ts', 'endpoints/scrape.ts', 'dashboard.ts'].includes(file.slice('src/http/'.length)),
    pattern: /\bapp\.(?:get|post|put|patch|delete|all|route)\b[<(]/,
  },
  { what: 'no barrels', in: code, pattern: /^export \* from/m },
  { what: 'named exports only', in: code, pattern: /^export default\b/m },
  {
    what: 'a failure is told from a value by isFailure of src/domain/failure.ts',
    in: (file) => source(file) && file !== 'src/domain/failure.ts',
    pattern: /['"]code['"] in\b/,
  },
  { what: 'no work left for later in the code', in: written, pattern: unfinished },
  {
    what: 'markup comes from components, never from a text',
    in: page,
    pattern: /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML|document\.write/,
  },
  {
    what: 'no test is singled out',
    in: (file) => file.endsWith('.test.ts'),
    pattern: /\b(test|it|describe)\.only\(|\bonly: true\b/,
  },
  {
    what: 'the repository knows nothing of the machine it was written on',
    // The conformance data is looked for beside the repository, by .ci/run alone.
    in: (file) => written(file) && file !== '.ci/run',
    pattern: workspace,
  },
];

const RELATIVE_LINK = /\]\((?![a-z]+:|#|\/)([^)#\s]+)[^)]*\)/g;
/** A path from the root of the repository, or the end of one. */
const FILE_NAME =
  /(?<![\w./<*-])((?:src|test|scripts|bench|dashboard|docs)\/)?((?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|cjs|jsonl|md|sql))\b/g;
const EXPORTED_TYPE =
  /^export (?:declare )?(?:abstract )?(?:const )?(?:type|interface|class|enum) ([A-Za-z_$][\w$]*)/gm;

const exists = (path: string) => existsSync(join(root, path));

/** The lines of a source text that are comments, or end in one. */
const comments = (text: string) =>
  text
    .split('\n')
    .map((line) => /^\s*(?:\/?\*|\/\/).*|(?<=\s)\/\/ .*/.exec(line)?.[0] ?? '')
    .join('\n');

/** A rule about a whole file; the complaint, or null. */
type FileRule = (file: string, text: string) => string | null;

const FILE_RULES: readonly FileRule[] = [
  (file, text) => {
    const lines = text.split('\n').length - 1;
    const long = code(file) && lines > LONGEST && !TABLES.includes(file);
    return long ? `${lines} lines; ${LONGEST} at most` : null;
  },
  (file, text) => {
    const leaky = ['Timeout', 'Interval'].find(
      (kind) => new RegExp(`(?<![.\\w])set${kind}\\(`).test(text) && !text.includes(`clear${kind}(`),
    );
    return code(file) && leaky !== undefined
      ? `set${leaky} without clear${leaky}: who owns the timer?`
      : null;
  },
  (file) => {
    const name = basename(file).replace(/(\.test|\.d)?\.(tsx?|mjs|cjs)$/, '');
    const odd = code(file) && (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name === 'index');
    return odd ? 'file names are kebab-case and say what is inside (no index.ts)' : null;
  },
  (file, text) => {
    const [out] = page(file)
      ? [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)].filter(([, to]) => leaves(file, to!))
      : [];
    return out === undefined ? null : `${out[1]}: the dashboard knows the service by its API only`;
  },
  (file) =>
    /^(dashboard\/)?src\/.*\b(utils?|helpers?|common|misc)\//.test(file)
      ? 'no attics: name the folder for what it holds'
      : null,
  (file, text) => {
    const missing = file.endsWith('.md')
      ? [...text.matchAll(RELATIVE_LINK)].find(([, to]) => !exists(posix.join(dirname(file), to!)))
      : undefined;
    return missing === undefined ? null : `${missing[1]}: the link leads nowhere`;
  },
  (file, text) => {
    // The history tells of files as they were.
    if (file.startsWith('docs/history/') || file === 'CHANGELOG.md') return null;
    const prose = file.endsWith('.md') ? text : /\.(tsx?|mjs|cjs)$/.test(file) ? comments(text) : '';
    const missing = [...prose.matchAll(FILE_NAME)].find(([, folder, name]) =>
      folder === undefined ? !names.has(basename(name!)) : !exists(folder + name),
    );
    return missing === undefined ? null : `${missing[0]}: there is no such file`;
  },
  (file, text) => (RUNNING.test(file) ? longFunction(file, text) : null),
];

/** The first function that is too long, as a complaint. */
function longFunction(file: string, text: string): string | null {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const find = (node: ts.Node): string | undefined => {
    const [first, last] = [lineOf(node.getStart(tree)), lineOf(node.end)];
    const lines = last - first + 1;
    return ts.isFunctionLike(node) && lines > LONGEST_FUNCTION
      ? `a function of ${lines} lines at line ${first}; ${LONGEST_FUNCTION} at most`
      : ts.forEachChild(node, find);
  };
  return find(tree) ?? null;
}

/** Whether an import of `file` leads out of the dashboard. */
const leaves = (file: string, to: string) => !posix.join(dirname(file), to).startsWith('dashboard/src/');

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const files = listed.split('\n').filter((file) => file !== '' && exists(file));
const names = new Set(files.map((file) => basename(file)));
const complaints: string[] = [];
/** Exported type → the file that declares it; the dashboard is a package of its own. */
const declaredIn = new Map<string, string>();
let count = 0;
for (const file of files) {
  const bytes = readFileSync(join(root, file));
  if (bytes.subarray(0, 8000).includes(0)) continue;
  count++;
  const text = bytes.toString('utf8');
  for (const rule of RULES) {
    if (!rule.in(file)) continue;
    const hit = rule.pattern.exec(text);
    if (hit === null) continue;
    const line = text.slice(0, hit.index).split('\n').length;
    complaints.push(`${file}:${line}: ${rule.what} (${hit[0].slice(0, 40).trim()})`);
  }
  for (const rule of FILE_RULES) {
    const complaint = rule(file, text);
    if (complaint !== null) complaints.push(`${file}: ${complaint}`);
  }
  if (!code(file)) continue;
  for (const [, name] of text.matchAll(EXPORTED_TYPE)) {
    const key = `${source(file) ? 'service' : 'dashboard'} ${name}`;
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
