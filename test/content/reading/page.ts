import { parseHtml, parseXml } from '../../../src/content/document/parse-page.ts';
import { type ParsedPage, toParsedPage } from '../../../src/content/document/parsed-page.ts';
import { structuredData } from '../../../src/content/reading/structured/structured.ts';
import type { StructuredData } from '../../../src/content/reading/structured/structured-data.ts';

export const PAGE_URL = 'http://site.test/dir/page';

export function htmlPage(html: string, scripting = true): ParsedPage {
  return toParsedPage(parseHtml(html, scripting), PAGE_URL, null);
}

export function xmlPage(xml: string): ParsedPage {
  return toParsedPage(parseXml(xml), PAGE_URL, null);
}

/** `structured` of an HTML page, as a caller gets it. */
export function structuredOf(html: string): StructuredData {
  return JSON.parse(JSON.stringify(structuredData(htmlPage(html), null).structured)) as StructuredData;
}
