import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError, WRONG_USAGE } from '../../src/cli/core/command.ts';
import { parseMembers } from '../../src/cli/core/members.ts';

test('options that contradict each other are refused, in any order', async () => {
  for (const options of [
    ['--scraper=http', '--scraper.x=1'],
    ['--scraper.x=1', '--scraper=http'],
    ['--timeout_ms=500', '--timeout_ms=900'],
  ])
    await assert.rejects(parseMembers(options, []), (error) => {
      assert.ok(error instanceof CommandError, `${options}`);
      assert.match(error.message, /^--\S+ contradicts/);
      assert.equal(error.exitCode, WRONG_USAGE);
      return true;
    });
  assert.deepEqual(await parseMembers(['--scraper.x=1', '--scraper.y=a'], []), { scraper: { x: 1, y: 'a' } });
});
