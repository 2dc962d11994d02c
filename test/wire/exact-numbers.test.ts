import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasLongNumbers, parseExactly } from '../../src/wire/request/exact-numbers.ts';

test('what has no long numbers is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4, stringUnit: 'binary' }), fc.boolean(), (json, sent) => {
      const text = sent ? `{"data" : ${json},\n"query":[${json}]}` : json;
      assert.deepEqual(parseExactly(text), JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('every number that a double alters is seen', () => {
  const whole = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  fc.assert(
    fc.property(whole, fc.constantFrom('[', ' ', ',', ':'), (n, before) => {
      if (BigInt(Number(n)) !== n) assert.ok(hasLongNumbers(`${before}${n}`));
    }),
  );
  assert.ok(hasLongNumbers('[1e400]') && hasLongNumbers('[-1.5E+400]') && hasLongNumbers('[1E400]'));
});
