import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasLongNumbers, parseExactly } from '../../src/wire/request/exact-numbers.ts';
import { parseTask } from '../../src/wire/request/parse-task.ts';
import fc from '../helpers/fast-check.ts';

test('text without long numbers is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4, stringUnit: 'binary' }), fc.boolean(), (json, asRequest) => {
      const text = asRequest ? `{"request":{"query":${json}},"data" : ${json},\n"query":[${json}]}` : json;
      assert.deepEqual(parseExactly(text), JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});

test('every number that a double would alter is found', () => {
  const whole = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  fc.assert(
    fc.property(whole, fc.constantFrom('[', ' ', ',', ':'), (n, before) => {
      if (BigInt(Number(n)) !== n) assert.ok(hasLongNumbers(`${before}${n}`));
    }),
  );
  assert.ok(hasLongNumbers('[1e400]') && hasLongNumbers('[-1.5E+400]') && hasLongNumbers('[1E400]'));
});

test('long numbers stay as written as values, and are refused as names', () => {
  const long = '12345678901234567890';
  const query = (text: string) =>
    parseTask(parseExactly(`{"url":"http://a.test/","query":${text}}`) as object);
  for (const good of [
    `{"a":${long}}`,
    `{"a":[${long}]}`,
    `[["a",${long}]]`,
    `[{"name":"a","value":${long}}]`,
  ])
    assert.equal(query(good).task?.url, `http://a.test/?a=${long}`);
  const sent = parseTask(
    parseExactly(`{"url":"http://a.test/","headers":{"A":${long}},"cookies":[["b",${long}]]}`) as object,
  ).task;
  assert.deepEqual(sent?.headers, [['A', long]]);
  assert.equal(sent.cookies[0]?.value, long);
  for (const [bad, pointer] of [
    [`[[${long},"x"]]`, '/query/0/0'],
    [`[{"name":${long},"value":1}]`, '/query/0/name'],
  ] as const)
    assert.equal(query(bad).problems?.[0]?.pointer, pointer);
  const { problems } = parseTask(
    parseExactly(`{"url":"http://a.test/","method":"POST","data":{"$raw":${long}}}`) as object,
  );
  // Values of `data` may be secrets, so they are not quoted.
  assert.match(problems![0]!.message, /must be a string, got a number/);
});

test('the same holds for the member `request` of a body, and only for the request in it', () => {
  const long = '12345678901234567890';
  const body = parseExactly(
    `{"request":{"url":"http://a.test/","query":[["a",${long}]],"data":{"id":${long}}},"ways":[${long}],"other":{"data":${long}}}`,
  ) as { request: object; ways: unknown; other: unknown };
  assert.deepEqual([body.ways, body.other], [[Number(long)], { data: Number(long) }]);
  const { task } = parseTask({ ...body.request, method: 'POST' });
  assert.equal(task?.url, `http://a.test/?a=${long}`);
  assert.equal(Buffer.from(task!.body!.bytes).toString(), `{"id":${long}}`);
  const name = parseExactly(`{"request":{"url":"http://a.test/","query":[[${long},"x"]]}}`) as typeof body;
  assert.equal(parseTask(name.request).problems?.[0]?.pointer, '/query/0/0');
});
