import { closed } from '../../domain/json-schema.ts';
import { schemaMembers } from '../../domain/option.ts';
import type { ReadingOptions } from '../../domain/reading.ts';
import { DEFAULT_SCRAPER_OPTIONS, SCRAPER_OPTIONS } from '../../domain/scraper-options.ts';
import type { JsonObject } from '../schema/body-parser.ts';
import type { Problems } from '../schema/problems.ts';
import { createOptionsReader } from './options.ts';
import { checkJsonFormat, checkNotOfCrawl, READING_PARSERS } from './scraper-options.ts';

const { formats, only_main_content, main_content, markdown, json, extract } = SCRAPER_OPTIONS;
const TABLE = { formats, only_main_content, main_content, markdown, json, extract };

/** The options that say what is read from a page, as the body of a request. */
export const ReadingRequestBody = closed(schemaMembers(TABLE), { title: 'ReadingRequest' });

const READER = createOptionsReader(TABLE, DEFAULT_SCRAPER_OPTIONS, READING_PARSERS, '');

export function readReadingOptions(body: JsonObject, problems: Problems): ReadingOptions {
  const options = READER.read(body, problems);
  checkJsonFormat(options, '', problems);
  checkNotOfCrawl(options, '', problems);
  return options;
}
