import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Json, JsonObject } from '../../dashboard/src/pages/playground/model/json.ts';
import {
  commonMembers,
  expandActions,
  variantsByTag,
} from '../../dashboard/src/pages/playground/model/page-actions.ts';
import type { Components } from '../../dashboard/src/pages/playground/model/schema.ts';
import { normaliseAction } from '../../src/wire/request/page-action-shorthand.ts';
import fc from '../helpers/fast-check.ts';
import { ROOT } from '../helpers/repository.ts';

const { components } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
  readonly components: { readonly schemas: Components };
};
const { schemas } = components;
const kinds = variantsByTag(schemas.PageAction!, schemas)!;
const expanded = (action: Json): Json =>
  (expandActions({ page_actions: [action] }, schemas).page_actions as readonly Json[])[0]!;

const scalar = fc.oneof(fc.string(), fc.integer(), fc.constant(true), fc.constantFrom('top', 'bottom'));
const value = fc.oneof(
  scalar,
  fc.constant({ type: 'text', value: 'Next' }),
  fc.constant({ selector: '#a', timeout_ms: 10 }),
  fc.constant({ heading: 'h1' }),
  fc.constant({}),
);
const simple = fc
  .tuple(fc.constantFrom(...kinds.keys()), value, fc.nat(2))
  .map(([type, value, form]): JsonObject => {
    if (form === 0) return { [type]: value };
    return form === 1 ? { action: type, selector: '#a' } : { type, selector: '#a' };
  });
const action = fc.oneof(
  simple,
  fc.record({
    type: fc.constant('if'),
    selector: fc.constant('#a'),
    else: fc.array(simple, { maxLength: 3 }),
  }),
  fc.record({ if: fc.record({ selector: fc.constant('#a'), else: fc.array(simple, { maxLength: 3 }) }) }),
);

describe('page actions in the form', () => {
  test('all kinds of actions of the service are offered', () => {
    assert.equal(kinds.size, 26);
    for (const [type, schema] of kinds) assert.ok(Object.hasOwn(schema.properties!, 'type'), type);
    const common = commonMembers(kinds, 'type');
    assert.deepEqual([...common].sort(), [
      'frame',
      'id',
      'on_error',
      'optional',
      'timeout_ms',
      'wait_after_ms',
    ]);
  });

  test('a short form is expanded in the same way as by the service', () => {
    fc.assert(
      fc.property(action as fc.Arbitrary<Json>, (sample) =>
        assert.deepEqual(expanded(sample), normaliseAction(sample)),
      ),
      { numRuns: 2000 },
    );
  });

  test('the examples of the description', () => {
    assert.deepEqual(expanded({ click: '#a' }), { type: 'click', selector: '#a' });
    assert.deepEqual(expanded({ wait: 500 }), { type: 'wait', ms: 500 });
    assert.deepEqual(expanded({ scroll: '#end' }), { type: 'scroll', selector: '#end' });
    assert.deepEqual(expanded({ extract: { heading: 'h1' } }), {
      type: 'extract',
      schema: { heading: 'h1' },
    });
    assert.deepEqual(expanded({ reload: null }), { type: 'reload' });
    assert.deepEqual(expanded({ type: 'reload' }), { type: 'reload' });
    assert.deepEqual(expanded({ if: { selector: '#a', else: [{ click: '#b' }] } }), {
      type: 'if',
      selector: '#a',
      else: [{ type: 'click', selector: '#b' }],
    });
  });
});
