import type { ContentSelection } from '../../document/content-selection.ts';
import { dataTables } from '../../document/data-tables.ts';
import type { UnreadJsonLd } from '../../document/json-ld.ts';
import { htmlMetadata } from '../../document/page-metadata.ts';
import type { ParsedPage } from '../../document/parsed-page.ts';
import { wholePage } from '../../document/visit-elements.ts';
import { mergedEntities } from './entities.ts';
import { microdataOf } from './microdata.ts';
import { rdfaOf } from './rdfa.ts';
import type { StructuredData } from './structured-data.ts';

/**
 * The data of a page. JSON-LD, microdata, RDFa and Open Graph describe the page as a whole, wherever they are written; the
 * selection only limits the tables.
 * @param selection null: the whole page
 */
export function structuredData(
  page: ParsedPage,
  selection: ContentSelection | null,
): { readonly structured: StructuredData; readonly unread: readonly UnreadJsonLd[] } {
  if (page.plainXml) return { structured: EMPTY, unread: [] };
  const { metadata, unread } = htmlMetadata(page, { charset: null, contentType: '' });
  const tables = dataTables(page, selection ?? wholePage(page));
  const sources = {
    json_ld: metadata.json_ld.flat().filter(isObject),
    microdata: microdataOf(page),
    rdfa: rdfaOf(page),
    open_graph: metadata.open_graph,
    twitter: metadata.twitter,
    tables: tables.map(({ data }) => data),
  };
  const namedRows = tables.map((table) => table.namesRows);
  return { structured: { ...sources, entities: mergedEntities(sources, namedRows, page.urls.base) }, unread };
}

const EMPTY: StructuredData = {
  json_ld: [],
  microdata: [],
  rdfa: [],
  open_graph: {},
  twitter: {},
  tables: [],
  entities: [],
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
