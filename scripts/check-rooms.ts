/**
 * Checks every import of src/ against the table in rooms.cjs, and that no imports of src/ or of the dashboard go in a
 * circle. Usage: check-rooms.ts [folder of the repository]
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
const known = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /(?<!\.d)\.tsx?$/.test(file) && existsSync(file));
const complaints = known
  .filter((file) => file.startsWith('src/'))
  .filter((file) => {
    const homeless = !Object.keys(table.rooms).some((room) => file.startsWith(`src/${room}/`));
    return homeless && !Object.keys(table.files).some((name) => file === `src/${name}.ts`);
  })
  .map((file) => `${file} stands in no room of rooms.cjs`);

const { enhancedResolveOptions, ...options } = rules.options;
const { output } = await cruise(
  folders,
  { ...options, validate: true, ruleSet: { forbidden: rules.forbidden } } as ICruiseOptions,
  { ...enhancedResolveOptions, bustTheCache: true },
);
const result = output as ICruiseResult;
const seen = new Set(result.modules.map((module) => module.source));

// dependency-cruiser sees nothing, and is content, when its TypeScript is one that it does not understand.
for (const file of known) if (!seen.has(file)) complaints.push(`${file} was not seen by dependency-cruiser`);
if (!known.some((file) => file.startsWith('src/'))) complaints.push('git knows no file in src');
for (const { from, to, rule, cycle } of result.summary.violations) {
  const round = cycle === undefined ? '' : ` (${cycle.map((step) => step.name).join(' → ')})`;
  const comment = (rules.forbidden as { name: string; comment: string }[]).find(
    (one) => one.name === rule.name,
  );
  complaints.push(`${from} → ${to}${round}: ${rule.name}; ${comment?.comment ?? ''}`);
}

for (const complaint of complaints) console.error(complaint);
console.log(`rooms: ${known.length} files, ${result.summary.totalDependenciesCruised ?? 0} imports`);
process.exitCode = complaints.length === 0 ? 0 : 1;
