import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pieceOfText } from '../../src/mcp/piece-of-text.ts';
import fc from '../helpers/fast-check.ts';

const piecesOf = (text: string, maxChars: number): string[] => {
  const pieces: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const piece = pieceOfText(text, offset, maxChars);
    pieces.push(piece.text);
    offset = piece.next;
  }
  return pieces;
};

test('the pieces together are the text, and each fits', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\n\n', 'ä', '🌊'), maxLength: 300 });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 50 }), (whole, maxChars) => {
      const pieces = piecesOf(whole, maxChars);
      assert.equal(pieces.join(''), whole);
      for (const piece of pieces) {
        assert.ok(piece.length <= maxChars);
        assert.ok(piece.isWellFormed());
      }
    }),
  );
});

test('a piece ends after an empty line, else after a line, if that is in its second half', () => {
  assert.deepEqual(piecesOf('one two\n\nthree\nfour five', 15), ['one two\n\n', 'three\nfour five']);
  assert.deepEqual(piecesOf('one two three\nfour five', 15), ['one two three\n', 'four five']);
  assert.deepEqual(piecesOf('a\nbcdefghijklmnop', 10), ['a\nbcdefghi', 'jklmnop']);
});

test('an offset beyond the end gives nothing', () => {
  assert.deepEqual(pieceOfText('abc', 7, 10), { text: '', next: null });
});
