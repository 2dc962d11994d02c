import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/commands/commands.ts';
import { ROOT } from '../helpers/repository.ts';

test('docs/command-line.md says of each command what it works with', () => {
  const page = readFileSync(join(ROOT, 'docs/command-line.md'), 'utf8');
  const [, table] = /\| Command \| Works with \|\n(.*?)\n\n/s.exec(page)!;
  const told = [...table!.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([a-z]+)`/g)].map(([, name]) => name),
  );
  assert.deepEqual(told.toSorted(), COMMANDS.map(({ name }) => name).toSorted());
});
