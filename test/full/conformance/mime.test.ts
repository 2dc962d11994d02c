import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import { parseContentType } from '../../../src/content/charset/mime-type.ts';

const root = process.env.CONFORMANCE_DATA;
const skip = root === undefined ? 'CONFORMANCE_DATA is not set' : false;

interface Case {
  readonly input: string;
  /** The serialised type; null: it does not parse. */
  readonly output: string | null;
  /** Where given: the encoding that a document of this type has. */
  readonly encoding?: string | null;
}

/** The value of the charset parameter in a serialised MIME type. */
function charsetOf(output: string): string | null {
  const found = /;charset=(?:"((?:[^"\\]|\\.)*)"|([^;]*))/s.exec(output);
  return found === null ? null : (found[2] ?? found[1]!.replace(/\\(.)/gs, '$1'));
}

describe('WPT MIME types', { skip }, () => {
  for (const file of ['mime-whatwg.json', 'mime-whatwg-generated.json']) {
    it(`${file}: essence and charset`, (t) => {
      const entries = JSON.parse(readFileSync(join(root!, 'mime', file), 'utf8')) as (Case | string)[];
      let right = 0;
      for (const entry of entries) {
        if (typeof entry === 'string') continue;
        const got = parseContentType(entry.input);
        const note = JSON.stringify(entry.input);
        assert.equal(got?.essence ?? null, entry.output?.split(';', 1)[0] ?? null, note);
        assert.equal(got?.charset ?? null, entry.output === null ? null : charsetOf(entry.output), note);
        if (entry.encoding !== undefined) {
          const encoding = got?.charset == null ? null : normalizeEncoding(got.charset);
          assert.equal(encoding, entry.encoding?.toLowerCase() ?? null, note);
        }
        right++;
      }
      t.diagnostic(`${right} cases right (and ${entries.length - right} headings)`);
      assert.ok(right > 30);
    });
  }
});
