import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { judge, type TierCost } from '../../scripts/test-budget.ts';
import { concerned } from '../../scripts/test-changed.ts';
import { startKind } from '../../scripts/test-starts.ts';

describe('the budget of a tier', () => {
  const budget: TierCost = {
    calibrations: 100,
    starts: { service: 40, browser: 2 },
    files: { 'a.test.ts': { service: 1 }, 'b.test.ts': { service: 39, browser: 2 } },
  };
  const cost = (change: Partial<TierCost>): TierCost => ({ ...budget, ...change });

  test('holds', () => {
    const { told, fails } = judge(cost({ calibrations: 114 }), budget);
    assert.equal(fails, false);
    assert.match(told[0]!, /114 of 100 .*\(114 %\)/);
    assert.doesNotMatch(told.join('\n'), /over/);
  });

  test('processor time: over 15 % is told, over 40 % fails', () => {
    const more = judge(cost({ calibrations: 116 }), budget);
    assert.equal(more.fails, false);
    assert.match(more.told.join('\n'), /over by more than 15 %/);
    const much = judge(cost({ calibrations: 141 }), budget);
    assert.equal(much.fails, true);
    assert.match(much.told.join('\n'), /over by more than 40 %/);
  });

  test('more starts fail, with the files that grew', () => {
    assert.equal(judge(cost({ starts: { service: 44, browser: 2 } }), budget).fails, false);
    const grown = cost({
      starts: { service: 45, browser: 2 },
      files: { 'a.test.ts': { service: 4 }, 'b.test.ts': { service: 39, browser: 2 } },
    });
    const { told, fails } = judge(grown, budget);
    assert.equal(fails, true);
    assert.match(
      told.join('\n'),
      /service: 45 starts of 40, which fails the run\n.*a\.test\.ts: 4, before 1/,
    );
    assert.doesNotMatch(told.join('\n'), /b\.test\.ts/);
  });

  test('what counts as a start', () => {
    assert.equal(startKind(['unshare', '-n', '/a/bin/sluice', 'serve']), 'service');
    assert.equal(startKind(['/a/bin/sluice', 'keys', 'create']), 'command line');
    assert.equal(startKind(['/usr/lib/postgresql/15/bin/postgres', '-D', '/a']), 'PostgreSQL');
    assert.equal(startKind(['/a/chromium', '--headless']), 'browser');
    assert.equal(startKind(['/a/chromium', '--version']), null);
    assert.equal(startKind(['node', 'a.ts']), null);
    assert.equal(startKind(['/a/helm', 'template', 'sluice', '/a/deploy/helm/sluice', '--strict']), null);
  });
});

describe('the tests that a change may concern', () => {
  const files = globSync('test/**/*.test.ts');
  const of = (...changed: string[]) => concerned(files, changed);

  test('those that import a changed file, also through others', () => {
    const tests = of('test/content/reading.ts');
    assert.ok(tests.includes('test/full/conformance/documents.test.ts'));
    assert.ok(!tests.includes('test/account/password.test.ts'));
  });

  test('those that reach it through a service', () => {
    const tests = of('src/proxy-port/request.ts');
    assert.ok(tests.includes('test/full/clients/proxy-port.test.ts'));
    assert.ok(!tests.some((file) => file.startsWith('test/full/dashboard/')));
  });

  test('a test file alone, and all for what all use', () => {
    assert.deepEqual(of('test/content/xpath.test.ts'), ['test/content/xpath.test.ts']);
    assert.equal(of('src/domain/failure.ts').length, files.length);
    assert.equal(of('package-lock.json').length, files.length);
    assert.deepEqual(of('README.md'), []);
  });

  test('a change of any room concerns some', () => {
    const { rooms } = createRequire(import.meta.url)('../../rooms.cjs') as { rooms: Record<string, unknown> };
    for (const room of Object.keys(rooms)) assert.ok(of(`src/${room}/any-file.ts`).length > 0, room);
  });
});
