import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonPathProblem } from '../../src/content/json/json-path.ts';

test('paths that would make the parser backtrack without end are refused', () => {
  for (const path of [
    `$[?${'a('.repeat(40)}`,
    `$[?${'('.repeat(200)}`,
    `$${'[?@'.repeat(60)}`,
    `$[?${'length('.repeat(30)}@.a${')'.repeat(30)}==1]`,
  ])
    assert.equal(jsonPathProblem(path), 'the JSONPath is nested too deeply', path.slice(0, 40));
  for (const path of [
    '$.a[?(@.b==1 && (@.c==2 || length(@.d)>3))].e',
    `$[?@.a=="${'('.repeat(50)}"]`,
    `$${'[0]'.repeat(100)}`,
    "$['it\\'s (((((((((((']",
  ])
    assert.equal(jsonPathProblem(path), null, path.slice(0, 40));
});
