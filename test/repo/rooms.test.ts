import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runChild } from '../helpers/child.ts';
import { ROOT } from '../helpers/repository.ts';

/** A small tree with all that the checker reads, and these files. */
async function treeOf(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-rooms-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of [
    'rooms.cjs',
    '.dependency-cruiser.cjs',
    'package.json',
    'tsconfig.json',
    '.gitignore',
  ]) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  assert.equal((await runChild('git', ['init', '-q', folder])).code, 0);
  return folder;
}

/** File → its text, and what the checker must say. */
const BREACHES: readonly (readonly [file: string, text: string, complaint: string])[] = [
  [
    'src/domain/planted-value.ts',
    "import { PORT } from '../egress/port.ts';\nexport const a = PORT;\n",
    'room domain',
  ],
  [
    'src/domain/planted-type.ts',
    "import type { Egress } from '../egress/egress.ts';\nexport type A = Egress;\n",
    'room domain',
  ],
  ['src/router/planted-lazy.ts', "export const a = () => import('../egress/port.ts');\n", 'room router'],
  [
    'src/router/planted-npm.ts',
    "import { fastify } from 'fastify';\nexport const a = fastify;\n",
    'package fastify',
  ],
  [
    'src/wire/planted-npm-type.ts',
    "import type { Kysely } from 'kysely';\nexport type A = Kysely<unknown>;\n",
    'package kysely',
  ],
  [
    'src/http/core/planted-unlisted.ts',
    "import fc from 'fast-check';\nexport const a = fc;\n",
    'package not in the table',
  ],
  [
    'src/assess/planted-core.ts',
    "import { exec } from 'node:child_process';\nexport const a = exec;\n",
    'builtin node:child_process',
  ],
  [
    'src/adapters/store/sqlite/planted-family.ts',
    "import { b } from '../../blobs/planted.ts';\nexport const a = b;\n",
    'room adapters/store/sqlite',
  ],
  [
    'src/http/core/planted-adapter.ts',
    "import { b } from '../../adapters/blobs/planted.ts';\nexport const a = b;\n",
    'room http/core',
  ],
  [
    'src/pipeline/planted-test.ts',
    "import { startSite } from '../../test/site/site.ts';\nexport const a = startSite;\n",
    'outside src',
  ],
  [
    'src/base/planted-cycle.ts',
    "import { b } from './planted-cycle-2.ts';\nexport const a = () => b;\n",
    'cycle',
  ],
  ['dashboard/src/ui/planted-route.tsx', "export const a = () => import('./planted-page.tsx');\n", 'cycle'],
  ['src/base/planted-lost.ts', "import { b } from './nowhere.ts';\nexport const a = b;\n", 'not found'],
  ['src/attic/planted.ts', 'export const a = 1;\n', 'is in no room'],
  // In the tree of git, but not in that of the checker: see UNSEEN.
  ['src/domain/planted-unseen.ts', 'export const a = 1;\n', 'was not checked'],
];

/** Hides a file from the checker. */
const UNSEEN = "\nmodule.exports.options.exclude = 'planted-unseen';\n";

// That the tree itself keeps to its rooms is asserted by `npm run check`, because the checker takes seconds for it.
test('the checker sees every kind of breach', async (t) => {
  const config = '.dependency-cruiser.cjs';
  const folder = await treeOf(t, {
    [config]: readFileSync(join(ROOT, config), 'utf8') + UNSEEN,
    'src/egress/port.ts': 'export const PORT = 1;\n',
    'src/egress/egress.ts': 'export type Egress = 1;\n',
    'src/adapters/blobs/planted.ts': 'export const b = 1;\n',
    'src/base/planted-cycle-2.ts': "import { a } from './planted-cycle.ts';\nexport const b = () => a;\n",
    'dashboard/src/ui/planted-page.tsx':
      "import type { a } from './planted-route.tsx';\nexport const b = (of: typeof a) => <b>{String(of)}</b>;\n",
    'test/site/site.ts': 'export const startSite = 1;\n',
    ...Object.fromEntries(BREACHES.map(([file, text]) => [file, text])),
  });
  const { code, stdout, stderr } = await runChild(process.execPath, [
    join(ROOT, 'scripts', 'check-rooms.ts'),
    folder,
  ]);
  assert.equal(code, 1);
  assert.match(stdout, /rooms: \d+ files/);
  const lines = stderr.split('\n');
  for (const [file, , complaint] of BREACHES) {
    assert.ok(
      lines.some((line) => line.includes(file) && line.includes(complaint)),
      `${file}: "${complaint}" was not said in:\n${stderr}`,
    );
  }
  const blameless = lines.filter((line) => line !== '' && !BREACHES.some(([file]) => line.includes(file)));
  assert.deepEqual(blameless, [], 'complaints of other files');
  assert.deepEqual(
    lines.filter((line) => line.includes('was not checked')).length,
    1,
    'only what is hidden is not seen',
  );
});
