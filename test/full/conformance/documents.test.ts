import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readDocument } from '../../../src/adapters/documents/read-document.ts';
import { documentKind } from '../../../src/content/charset/document-kind.ts';
import type { DocumentReading } from '../../../src/domain/document.ts';
import { textOf } from '../../content/reading.ts';

// Documents of another project with the text that it expects: word F1, words as a multiset in lower case.

const root = process.env.READING_DATA;
const skip = root === undefined ? 'READING_DATA is not set' : false;
const folder = join(root ?? '', 'documents');
const MIN_F1 = 0.99;
/** A scan: nothing is expected of it. */
const WITHOUT_TEXT = 'MEDRPT-2024-PAT-3847_medical_report_scan';

describe('documents of markitdown', { skip }, () => {
  async function reading(file: string): Promise<DocumentReading> {
    const bytes = readFileSync(join(folder, file));
    const kind = documentKind('application/octet-stream', bytes);
    assert.ok(kind !== null && file.endsWith(kind), `${file} is taken for ${kind}`);
    const result = await readDocument(bytes, kind, { maxPages: 2000, ms: 60_000 });
    assert.ok(result.kind === 'read', JSON.stringify(result));
    return result.reading;
  }

  const expectations = skip ? [] : readdirSync(join(folder, 'expected_outputs'));
  for (const file of expectations) {
    const name = file.slice(0, -'.md'.length);
    it(name, async () => {
      const { html, document, warnings } = await reading(`${name}.pdf`);
      const expected = readFileSync(join(folder, 'expected_outputs', file), 'utf8');
      if (name === WITHOUT_TEXT) {
        assert.equal(document.textLayer, false);
        assert.deepEqual(
          warnings.map(({ code }) => code),
          ['document.no_text'],
        );
        return;
      }
      const f1 = wordF1(String(textOf(html)), expected);
      assert.ok(f1 >= MIN_F1, `F1 ${f1.toFixed(4)}`);
    });
  }

  // The same text in several formats, written by the people of that project into each.
  const PHRASES: Readonly<Record<string, readonly string[]>> = {
    'test.docx': [
      '# Abstract',
      'AutoGen: Enabling Next-Gen LLM Applications',
      '49e168b7-d2ae-407f-a055-2167576f39a1',
    ],
    'test.pptx': [
      '2cdda5c8-e50e-4db4-b5f0-9722a649f455',
      '04191ea8-5c73-4215-a1d3-1cfb43aaaf12',
      'A table to test parsing:',
    ],
    'test.xlsx': [
      '09060124-b5e7-4717-9d07-3c046eb',
      '6ff4173b-42a5-4784-9b19-f49caff4d93d',
      'affc7dad-52dc-4b98-9b5d-51e65d8a8ad0',
    ],
    'test.xls': [
      '09060124-b5e7-4717-9d07-3c046eb',
      '6ff4173b-42a5-4784-9b19-f49caff4d93d',
      'affc7dad-52dc-4b98-9b5d-51e65d8a8ad0',
    ],
    'test.epub': ['Test EPUB Document', 'This is a test paragraph', 'A bullet point'],
  };
  for (const [file, phrases] of Object.entries(PHRASES))
    it(file, async () => {
      const { html } = await reading(file);
      const text = String(textOf(html));
      for (const phrase of phrases) assert.ok(text.includes(phrase.replace(/^# /, '')), phrase);
    });
});

/** Words divided at the end of a line are joined by us and not in the expectation, so hyphens do not count in either. */
function words(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text
    .replace(/-\s*\n\s*|-/g, '')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}_]+/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function wordF1(text: string, expected: string): number {
  const [ours, theirs] = [words(text), words(expected)];
  const total = (counts: Map<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);
  let common = 0;
  for (const [word, count] of ours) common += Math.min(count, theirs.get(word) ?? 0);
  return (2 * common) / (total(ours) + total(theirs));
}
