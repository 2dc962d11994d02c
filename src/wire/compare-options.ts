import { type Static, Type } from 'typebox';
import { compileRegex } from '../domain/caller-regex.ts';
import { isFailure } from '../domain/failure.ts';
import { closed, optional, orNull } from '../domain/json-schema.ts';
import { COMPARED_FORMATS, type CompareOptions, type CompareTo } from '../domain/monitors.ts';
import { addProblem, type Problems } from './schema/problems.ts';

export const CompareMembers = closed(
  optional({
    format: Type.Enum([...COMPARED_FORMATS], {
      default: 'markdown',
      description: 'What is compared. `markdown`, `text` and `main_html` are those of the main content.',
    }),
    selector: orNull(Type.String({ maxLength: 2000 }), {
      description: 'Compare only what this CSS selector matches.',
    }),
    ignore: Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
      maxItems: 100,
      description:
        'What does not count: CSS selectors, `/regular expressions/` (of one with a group, only the group), `dates`, `relative_times`, `counters`, `order` (of lines).',
    }),
    min_change: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0,
      description: 'Share of lines that must differ; of pixels for `screenshot`.',
    }),
  }),
  { title: 'Compare' },
);

const { format, selector, ignore } = CompareMembers.properties;

/** `router.compare_to` of a scrape request. */
export const CompareToSchema = closed(
  {
    record: Type.String({
      pattern: '^(last|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$',
      description: '`last`: the latest record that can be compared; or the id of a record.',
    }),
    format,
    selector,
    ignore,
    tag: Type.Optional(
      Type.String({
        pattern: '^[^:]+:',
        maxLength: 129,
        description: 'Only a record with this tag, as `name:value`.',
      }),
    ),
  },
  {
    title: 'CompareTo',
    description:
      'Compares the page with a record of the same user, method, URL, country and device, as monitors do: `scraper_data.change`. Needs the scope `read`.',
  },
);

/** @param pointer of the options, for problems */
export function readCompare(
  {
    format = 'markdown',
    selector = null,
    ignore = [],
    min_change: minChange = 0,
  }: Static<typeof CompareMembers>,
  pointer: string,
  problems: Problems,
): CompareOptions {
  const isText = format === 'markdown' || format === 'text' || format === 'main_html';
  if (!isText && selector !== null)
    addProblem(problems, `${pointer}/selector`, `is not for the format ${format}`);
  for (const [index, entry] of ignore.entries()) {
    const path = `${pointer}/ignore/${index}`;
    if (!isText) addProblem(problems, path, `is not for the format ${format}`);
    if (!/^\/.*\/$/s.test(entry)) continue;
    const compiled = compileRegex(entry.slice(1, -1), path);
    if (isFailure(compiled)) problems.push(compiled);
  }
  return { format, selector, ignore, minChange };
}

/** @param pointer of `compare_to`, for problems */
export function readCompareTo(
  { record, tag, ...compare }: Static<typeof CompareToSchema>,
  pointer: string,
  problems: Problems,
): CompareTo {
  const colon = tag?.indexOf(':') ?? -1;
  return {
    ...readCompare(compare, pointer, problems),
    record: record.toLowerCase(),
    tag: tag === undefined ? null : { name: tag.slice(0, colon), value: tag.slice(colon + 1) },
  };
}
