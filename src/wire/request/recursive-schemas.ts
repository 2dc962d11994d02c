import { Type } from 'typebox';
import { componentName, componentReference } from '../schema/references.ts';
import { ExtractRuleObject } from './extract-rules.ts';
import { ACTIONS } from './page-action-schema.ts';
import { ScrapeRequest } from './scrape-request-schema.ts';

// biome-ignore-start lint/suspicious/noThenProperty: the name in the API; nothing here is awaited.
/** In the full form: shorthands are expanded before validation, so they do not match the schema. */
const ACTION_EXAMPLES: readonly unknown[] = [
  { type: 'click', selector: '#accept', optional: true, timeout_ms: 1000 },
  { type: 'fill', selector: '#q', value: 'router' },
  { type: 'press', key: 'Enter' },
  { type: 'wait_for_response', url: '**/api/search*', capture: true },
  { type: 'evaluate', script: 'document.title' },
  { type: 'if', selector: '.more', then: [{ type: 'click', selector: '.more', all: true }] },
];
// biome-ignore-end lint/suspicious/noThenProperty: end of the examples.

const actions = [...ACTIONS].map(([type, { schema }]) => ({ type, schema, name: componentName(schema)! }));

/** The components of the OpenAPI document that `placeholder` refers to, by title. Validation does not use them. */
export const RECURSIVE_SCHEMAS: Readonly<Record<string, object>> = {
  PageAction: {
    description:
      'An action in the page. The shorthand `{"click": "#a"}` and `action` instead of `type` are accepted too.',
    examples: ACTION_EXAMPLES,
    oneOf: actions.map(({ schema }) => schema),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(actions.map(({ type, name }) => [type, componentReference(name).$ref])),
    },
  },
  ExtractRule: {
    description:
      '`"css"` or `"//xpath"` for the text, `"css@attribute"` for an attribute, or an object. In a nested rule, `"@attribute"` reads the outer element itself.',
    anyOf: [Type.String({ minLength: 1 }), ExtractRuleObject],
  },
  BatchItem: {
    description: 'A scrape request, with an optional `ref`: your own name for it.',
    type: 'object',
    properties: { ref: Type.String({ minLength: 1, maxLength: 128 }), ...ScrapeRequest.properties },
  },
  ExtractRules: { type: 'object', additionalProperties: { title: 'ExtractRule' } },
};
