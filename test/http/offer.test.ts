import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openApi } from '../helpers/openapi.ts';
import { useService } from '../helpers/service.ts';

/** A schema of the OpenAPI document, with our annotations. */
interface AnnotatedSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly AnnotatedSchema[];
  readonly items?: AnnotatedSchema;
  readonly properties?: Readonly<Record<string, AnnotatedSchema>>;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly 'x-sluice-unavailable'?: string | Readonly<Record<string, string>>;
}

const component = (name: string): AnnotatedSchema => openApi().components.schemas![name] as AnnotatedSchema;

/** A value that is neither the default nor empty. */
function nonDefaultValue(schema: AnnotatedSchema): unknown {
  if (schema.enum !== undefined) return schema.enum.find((one) => one !== schema.default);
  if (schema.anyOf !== undefined) return nonDefaultValue(schema.anyOf.at(-1)!);
  switch (schema.type) {
    case 'array':
      return [nonDefaultValue(schema.items!)];
    case 'object': {
      const [first] = Object.entries(schema.properties ?? {});
      return first === undefined ? { name: 'value' } : { [first[0]]: nonDefaultValue(first[1]) };
    }
    case 'boolean':
      return schema.default !== true;
    case 'string':
      return schema.pattern?.includes('{2}') ? 'CH' : 'text';
    default:
      return Math.max(schema.minimum ?? 1, 1);
  }
}

describe('availability in the OpenAPI document', () => {
  const service = useService();
  const refusal = async (part: object): Promise<string | null> => {
    const { status, text } = await service.scrape({
      url: 'http://127.0.0.1:9/',
      router: { dry_run: true },
      ...part,
    });
    return status === 200 ? null : text;
  };

  for (const [name, title] of [
    ['router', 'RouterAsk'],
    ['proxy', 'ProxySettings'],
  ] as const) {
    test(`members of ${name} are refused as not available if and only if they are annotated as unavailable`, async () => {
      for (const [member, schema] of Object.entries(component(title).properties!)) {
        const note = schema['x-sluice-unavailable'];
        const refusalOf = (value: unknown) =>
          refusal(
            name === 'router'
              ? { router: { dry_run: true, [member]: value } }
              : { [name]: { [member]: value } },
          );
        if (typeof note === 'object') {
          for (const value of schema.enum!) {
            const text = await refusalOf(value);
            assert.equal(text !== null, Object.hasOwn(note, value), `${name}.${member} ${value}: ${text}`);
          }
        } else {
          const text = await refusalOf(nonDefaultValue(schema));
          const refused = text?.includes('not available in this version') ?? false;
          assert.equal(refused, note !== undefined, `${name}.${member}: ${text}`);
        }
      }
    });
  }

  test('members that are annotated to need a browser are refused by the scraper http', async () => {
    let annotated = 0;
    for (const [member, schema] of Object.entries(component('ScrapeRequest').properties!)) {
      if (!('x-sluice-needs' in schema)) continue;
      annotated++;
      const value = member === 'page_actions' ? [{ type: 'reload' }] : nonDefaultValue(schema);
      const refused = await refusal({ scraper: 'http', [member]: value });
      assert.match(refused ?? '', /"code":"scraper.unsupported_option"/, member);
    }
    assert.equal(annotated, 7);
  });
});
