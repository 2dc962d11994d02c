import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Script } from 'node:vm';
import { scriptSource } from '../../../src/browser/page/actions/scripts.ts';

test('an expression may end with semicolons and blanks; many of them in its middle take no time', async () => {
  const run = async (script: string) => await new Script(scriptSource(script, null)).runInThisContext();
  assert.equal(await run('1 + 1 ;\n; '), 'r2');
  assert.equal(await run(';'), 'rnull');
  assert.match(scriptSource(`1${';'.repeat(99_990)}1`, null), /async \(arg\) => \{1;/);
});
