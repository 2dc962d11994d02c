import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { runChild } from '../helpers/child.ts';
import { ROOT } from '../helpers/repository.ts';

// In pieces: this file is checked, too.
const LATER = `TO${'DO'}`;
const SINGLED = `test.on${'ly'}('a', () => {});`;
const MACHINE = `/wo${'rk'}/main`;

/** File → its text, and what must be said about it; null: nothing. */
const CASES: readonly (readonly [file: string, text: string, complaint: string | null])[] = [
  ['src/config/env.ts', 'export const a = process.env.A;\n', null],
  ['src/http/env.ts', 'export const a = process.env.A;\n', 'the environment is read in src/config only'],
  [
    'src/http/env-two.ts',
    "import { env } from 'node:process';\nexport const a = env;\n",
    'the environment is read',
  ],
  ['src/http/loud.ts', "console.log('a');\n", 'no console'],
  ['src/http/exit.ts', 'process.exit(1);\n', 'the process ends when its work has ended'],
  ['src/main.ts', "console.log('a');\nprocess.exit(1);\n", null],
  ['src/http/barrel.ts', "export * from './loud.ts';\n", 'no barrel files'],
  ['src/http/default.ts', 'export default 1;\n', 'named exports only'],
  ['src/http/index.ts', 'export const a = 1;\n', 'file names are kebab-case'],
  ['src/http/camelCase.ts', 'export const a = 1;\n', 'file names are kebab-case'],
  ['src/http/utils/a.ts', 'export const a = 1;\n', 'name the folder for what it contains'],
  ['src/http/long.ts', 'export {};\n'.repeat(501), '501 lines; at most 500 are allowed'],
  ['src/http/short.ts', 'export {};\n'.repeat(500), null],
  [
    'src/pipeline/run-long.ts',
    `export function a() {\n${'a();\n'.repeat(59)}}\n`,
    'the function at line 1 has 61 lines; at most 60 are allowed',
  ],
  ['src/pipeline/attempt-short.ts', `export function a() {\n${'a();\n'.repeat(58)}}\n`, null],
  ['src/http/timer.ts', 'setInterval(a, 5);\n', 'setInterval without clearInterval'],
  ['src/http/owned.ts', 'const t = setTimeout(a, 5);\nclearTimeout(t);\n', null],
  ['src/store/queries.ts', "import { sql } from 'kysely';\nexport const a = sql;\n", null],
  ['src/store/rows.ts', "import type { A } from './queries.ts';\nexport type B = A;\n", null],
  ['src/store/reader-thread.ts', "import { b } from './rows.ts';\nb();\n", null],
  [
    'src/store/writer-thread.ts',
    "import {\n  a,\n} from './queries.ts';\na();\n",
    'src/store/writer-thread.ts → src/store/queries.ts → kysely: each thread would load',
  ],
  ['dashboard/src/ui/a.tsx', "import { b } from '../app/b.ts';\nexport const a = b;\n", null],
  [
    'dashboard/src/ui/out.tsx',
    "import type { User } from '../../../src/domain/account.ts';\nexport type A = User;\n",
    'the dashboard may import nothing outside of dashboard/src but src/snippets',
  ],
  ['dashboard/src/ui/Upper.tsx', 'export const a = 1;\n', 'file names are kebab-case'],
  [
    'dashboard/src/ui/raw.tsx',
    'export const a = { dangerouslySetInnerHTML: 1 };\n',
    'markup comes from components',
  ],
  ['src/http/failure.ts', "export const a = (b: object) => 'code' in b;\n", 'use isFailure of'],
  ['src/domain/failure.ts', "export const a = (b: object) => 'code' in b;\n", null],
  ['src/domain/one-name.ts', 'export interface Name {\n  readonly a: 1;\n}\n', null],
  ['src/http/same-name.ts', 'export class Name {}\n', 'Name is also declared in src/domain/one-name.ts'],
  ['src/http/used-name.ts', "export type { Name } from './same-name.ts';\n", null],
  ['dashboard/src/ui/row.tsx', 'export interface Row {}\ninterface Cell {}\n', null],
  [
    'dashboard/src/ui/rows.tsx',
    'export type Row = string;\n',
    'Row is also declared in dashboard/src/ui/row',
  ],
  ['dashboard/src/ui/cell.tsx', 'export class Cell {}\n', null],
  ['src/http/later.ts', `// ${LATER}: finish\n`, 'no notes about unfinished work'],
  ['docs/a.md', `${LATER}\n`, 'no notes about unfinished work'],
  ['docs/b.md', `See ${MACHINE}.\n`, 'no paths of the machine'],
  ['docs/c.md', 'See [b](b.md#part), [site](https://example.com/) and `src/main.ts`.\n', null],
  ['docs/d.md', 'See [b](../b.md).\n', '../b.md: the file that the link names does not exist'],
  ['docs/e.md', `See \`src/gone.ts\`.\n`, 'src/gone.ts: this file is named here, but does not exist'],
  ['docs/history/a.md', `Then in src/gone.ts.\n`, null],
  [
    'src/http/comment.ts',
    `// See src/gone.ts.\nexport {};\n`,
    'src/gone.ts: this file is named here, but does not exist',
  ],
  [
    'src/http/short-name.ts',
    '/** See gone.ts. */\nexport {};\n',
    'gone.ts: this file is named here, but does not exist',
  ],
  ['src/http/known-name.ts', '/** See http/short.ts. */\nexport {};\n', null],
  ['src/http/text.ts', `export const a = 'src/gone.ts';\n`, null],
  ['test/a.test.ts', `${SINGLED}\n`, 'it skips all other tests'],
  ['test/dashboard/once.ts', 'assert.equal(\n  await rows(page).count(),\n  1,\n);\n', 'expect()'],
  ['test/full/dashboard/text.ts', "assert.match((await a.textContent()) ?? '', /a/);\n", 'expect()'],
  ['test/full/dashboard/waits.ts', 'await expect(a).toHaveCount(1);\nconst b = await a.count();\n', null],
];

test('the rules of the house are seen broken, and only where they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-house-'));
  try {
    assert.equal((await runChild('git', ['init', '-q', folder])).code, 0);
    writeFileSync(join(folder, 'package.json'), '{"version": "1.2.3"}');
    writeFileSync(join(folder, 'CHANGELOG.md'), '## [1.2.2]\n');
    for (const [file, text] of CASES) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const { code, stderr } = await runChild(process.execPath, [
      join(ROOT, 'scripts', 'check-house.ts'),
      folder,
    ]);
    const lines = stderr.trimEnd().split('\n');
    for (const [file, , complaint] of CASES) {
      const about = lines.filter((line) => line.startsWith(`${file}:`));
      if (complaint === null) assert.deepEqual(about, []);
      else assert.ok(about.length === 1 && about[0]?.includes(complaint), `${file}: ${about}`);
    }
    assert.ok(lines.includes('CHANGELOG.md has no section for 1.2.3'));
    assert.equal(code, 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
