import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openApi } from '../helpers/openapi.ts';
import { useService } from '../helpers/service.ts';

interface Noted {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Noted[];
  readonly items?: Noted;
  readonly properties?: Readonly<Record<string, Noted>>;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly 'x-sluice-unavailable'?: string | Readonly<Record<string, string>>;
}

const component = (name: string): Noted => openApi().components.schemas![name] as Noted;

/** A value that asks for something: not the default, and not empty. */
function asking(schema: Noted): unknown {
  if (schema.enum !== undefined) return schema.enum.find((one) => one !== schema.default);
  if (schema.anyOf !== undefined) return asking(schema.anyOf.at(-1)!);
  switch (schema.type) {
    case 'array':
      return [asking(schema.items!)];
    case 'object': {
      const [first] = Object.entries(schema.properties ?? {});
      return first === undefined ? { name: 'value' } : { [first[0]]: asking(first[1]) };
    }
    case 'boolean':
      return schema.default !== true;
    case 'string':
      return schema.pattern?.includes('{2}') ? 'CH' : 'text';
    default:
      return Math.max(schema.minimum ?? 1, 1);
  }
}

describe('what the description says is not available', () => {
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
    test(`of ${name}: all of it is refused, and nothing else is as not available`, async () => {
      for (const [member, schema] of Object.entries(component(title).properties!)) {
        const note = schema['x-sluice-unavailable'];
        const ask = (value: unknown) =>
          refusal(
            name === 'router'
              ? { router: { dry_run: true, [member]: value } }
              : { [name]: { [member]: value } },
          );
        if (typeof note === 'object') {
          for (const value of schema.enum!) {
            const text = await ask(value);
            assert.equal(text !== null, Object.hasOwn(note, value), `${name}.${member} ${value}: ${text}`);
          }
        } else {
          const text = await ask(asking(schema));
          const refused = text?.includes('not available in this version') ?? false;
          assert.equal(refused, note !== undefined, `${name}.${member}: ${text}`);
        }
      }
    });
  }

  test('what needs a browser is noted as such, and no other can do it', async () => {
    let noted = 0;
    for (const [member, schema] of Object.entries(component('ScrapeRequest').properties!)) {
      if (!('x-sluice-needs' in schema)) continue;
      noted++;
      const value = member === 'page_actions' ? [{ type: 'reload' }] : asking(schema);
      const refused = await refusal({ scraper: 'http', [member]: value });
      assert.match(refused ?? '', /"code":"scraper.unsupported_option"/, member);
    }
    assert.equal(noted, 7);
  });
});
