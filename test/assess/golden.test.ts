import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { RULES } from '../../src/assess/match-rules.ts';
import { isBlocked, VERDICT_KINDS } from '../../src/domain/verdict.ts';
import { type Sample, verdictOf } from './a-page.ts';
import { EXAMPLES } from './examples/all.ts';
import { ANSWERS } from './golden/answers.ts';
import type { Case } from './golden/case.ts';
import { SERVED } from './golden/served.ts';
import { SHELLS } from './golden/shells.ts';
import { shortPages } from './golden/short-pages.ts';
import { WALLED } from './golden/walled.ts';

const VENDOR_PAGES = join(import.meta.dirname, 'vendor-pages');

interface Sidecar {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly expect: 'ok';
}

/** Served pages full of vendors' marks, written by somebody who had not read the rules; each with what is expected. */
function vendorPages(scripted: boolean): Case[] {
  const names = readdirSync(VENDOR_PAGES).filter((file) => file.endsWith('.html'));
  return names.map((file) => {
    const text = readFileSync(join(VENDOR_PAGES, file.replace(/html$/, 'json')), 'utf8');
    const { url, status, headers, expect } = JSON.parse(text) as Sidecar;
    const lines = Object.entries(headers).map(([name, value]) => [name, [value].flat().join('\n')]);
    const { 'content-type': type = '', ...rest } = Object.fromEntries(lines) as Record<string, string>;
    const sample: Sample = {
      url,
      status,
      headers: rest,
      type,
      body: readFileSync(join(VENDOR_PAGES, file)),
      scripted,
    };
    return [`vendor page ${file}${scripted ? ', from a browser' : ''}`, expect, sample];
  });
}

const fromRules: readonly Case[] = RULES.flatMap(({ id, kind }): Case[] => [
  [`${id}: for`, kind, EXAMPLES[id]!.for],
  [`${id}: against`, EXAMPLES[id]!.against.kind ?? 'ok', EXAMPLES[id]!.against],
]);
const TABLE: readonly Case[] = [
  ...fromRules,
  ...SERVED,
  ...ANSWERS,
  ...WALLED,
  ...SHELLS,
  ...shortPages('lookalikes'),
  ...shortPages('disguised'),
  ...vendorPages(false),
  ...vendorPages(true),
];

describe('the golden table', () => {
  const seen = TABLE.map(([name, kind, sample, rest]) => ({ name, kind, rest, verdict: verdictOf(sample) }));

  test('holds at least 200 cases, 30 of them pages of others', (t) => {
    assert.ok(TABLE.length >= 200, String(TABLE.length));
    assert.ok(vendorPages(false).length >= 30);
    const kinds = VERDICT_KINDS.filter((kind) => kind !== 'net');
    const head = `${'expected \\ seen'.padEnd(16)}${kinds.map((kind) => kind.padStart(11)).join('')}`;
    const lines = kinds.map((row) => {
      const counts = kinds.map(
        (kind) => seen.filter((one) => one.kind === row && one.verdict.kind === kind).length,
      );
      return `${row.padEnd(16)}${counts.map((count) => String(count || '·').padStart(11)).join('')}`;
    });
    t.diagnostic(`${TABLE.length} cases\n${[head, ...lines].join('\n')}`);
  });

  test('nothing that is no wall is called one', () => {
    const falseBlocks = seen.filter(({ kind, verdict }) => !isBlocked(kind) && isBlocked(verdict.kind));
    assert.deepEqual(
      falseBlocks.map(({ name, verdict }) => `${name}: ${verdict.signals.join()}`),
      [],
    );
  });

  test('each has the verdict that it should have', () => {
    for (const { name, kind, rest = {}, verdict } of seen) {
      assert.equal(verdict.kind, kind, `${name}: ${verdict.signals.join()}`);
      for (const [member, value] of Object.entries(rest))
        assert.deepEqual(verdict[member as keyof typeof verdict], value, `${name}: ${member}`);
      assert.ok(verdict.confidence > 0 && verdict.confidence <= 1, name);
      assert.ok(verdict.signals.length > 0, name);
      assert.equal(verdict.wall !== null, verdict.kind === 'wall', name);
    }
  });
});
