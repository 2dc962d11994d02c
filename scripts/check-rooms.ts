/**
 * Checks every import of src/ against the table in rooms.cjs, and that there are no circular imports in src/ or the
 * dashboard. Usage: check-rooms.ts [folder of the repository]
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
process.chdir(root);
const load = createRequire(join(root, 'rooms.cjs'));
const table: { rooms: Record<string, string[]>; files: Record<string, string[]> } = load('./rooms.cjs');
const rules: { forbidden: unknown[]; options: ICruiseOptions } = load('./.dependency-cruiser.cjs');

const folders = ['src', 'dashboard/src'].filter((folder) => existsSync(folder));
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && existsSync(file));
const complaints = sources
  .filter((file) => file.startsWith('src/'))
  .filter((file) => {
    const inNoRoom = !Object.keys(table.rooms).some((room) => file.startsWith(`src/${room}/`));
    return inNoRoom && !Object.keys(table.files).some((name) => file === `src/${name}.ts`);
  })
  .map((file) => `${file} is in no room of rooms.cjs: move it, or add its folder there`);

const { enhancedResolveOptions, ...options } = rules.options;
const { output } = await cruise(
  folders,
  { ...options, validate: true, ruleSet: { forbidden: rules.forbidden } } as ICruiseOptions,
  { ...enhancedResolveOptions, bustTheCache: true },
);
const result = output as ICruiseResult;
const checked = new Set(result.modules.map((module) => module.source));

// With a version of TypeScript that it does not support, dependency-cruiser checks no file and reports no error.
for (const file of sources)
  if (!checked.has(file)) complaints.push(`${file} was not checked by dependency-cruiser`);
if (!sources.some((file) => file.startsWith('src/'))) complaints.push('git knows no file in src');
for (const { from, to, rule, cycle } of result.summary.violations) {
  const path = cycle === undefined ? '' : ` (${cycle.map((step) => step.name).join(' → ')})`;
  const broken = (rules.forbidden as { name: string; comment: string }[]).find(
    ({ name }) => name === rule.name,
  );
  complaints.push(`${from} → ${to}${path}: ${rule.name}; ${broken?.comment ?? ''}`);
}

for (const complaint of complaints) console.error(complaint);
console.log(`rooms: ${sources.length} files, ${result.summary.totalDependenciesCruised ?? 0} imports`);
process.exitCode = complaints.length === 0 ? 0 : 1;
