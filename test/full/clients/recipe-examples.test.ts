import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { readGuide, readGuides } from '../../helpers/guides.ts';
import { assertPrinted, assertShown } from '../../helpers/shown-answer.ts';
import { testExamples } from './examples.ts';

const recipes = readGuides('recipes');

/** What takes seconds and seldom breaks by itself; other tests show MCP and the proxy port. */
const SLOW = ['mcp-agent.md', 'scrapy.md'];

const TEXTS = ['README.md', 'docs/index.md', 'clients/typescript/README.md', 'clients/python/README.md'];

testExamples(
  [
    ...TEXTS.map(readGuide),
    ...recipes.filter(({ path }) => process.env.LONG === '1' || !SLOW.includes(basename(path))),
  ],
  { hasAnswers: true },
);

test('an answer that has changed is told, at its place', () => {
  const real = {
    id: '01a22c7a-1af1-7044-8497-a37bc58637aa',
    items: [{ name: 'Anvil', price: 2 }, {}],
    total_ms: 7,
  };
  assertShown(
    { id: '019a9c3e-5d0e-7c41-9a51-0c6f4f7a2b11', items: [{ name: 'A…' }, '…'], total_ms: 9 },
    real,
  );
  const changed: readonly (readonly [unknown, RegExp])[] = [
    [{ items: [{ price: 3 }, {}] }, /changed at \/items\/0\/price: 2/],
    [{ items: [{ name: 'Anvil' }] }, /changed at \/items:/],
    [{ items: ['…', {}, {}] }, /\/items/],
    [{ total: 1 }, /no \/total:/],
    [{ id: 'abc' }, /changed at \/id/],
  ];
  for (const [shown, message] of changed) assert.throws(() => assertShown(shown, real), message);
  assertPrinted('Anvil 3…\n…\nend', 'begin\nAnvil 39.90\nmore\nend\n');
  assert.throws(() => assertPrinted('end\nAnvil', 'Anvil\nend\n'), /“Anvil” is not printed/);
});

test('each recipe is short, and leads on to guides', () => {
  for (const { path, text } of recipes) {
    const lines = text.split('\n').length;
    assert.ok(lines >= 40 && lines <= 105, `${path} has ${lines} lines`);
    assert.match(text, /\]\(\.\.\/guides\//, path);
  }
});
