import type { DataTable } from '../../document/data-tables.ts';
import type { MicrodataItem } from './microdata.ts';
import type { RdfaNode } from './rdfa.ts';

/** `scraper_data.structured`: what a page tells programs, and its tables. */
export interface StructuredData {
  /** The objects of all blocks, as they are written. A list of objects is taken apart. */
  readonly json_ld: readonly Readonly<Record<string, unknown>>[];
  readonly microdata: readonly MicrodataItem[];
  /** Expanded JSON-LD. */
  readonly rdfa: readonly RdfaNode[];
  /** Names without `og:`; those of other vocabularies with their prefix. A text, or a list if there are several. */
  readonly open_graph: Readonly<Record<string, string | readonly string[]>>;
  /** Names without `twitter:`. */
  readonly twitter: Readonly<Record<string, string | readonly string[]>>;
  readonly tables: readonly DataTable[];
  /** What the page is about, from all of the above. */
  readonly entities: readonly Entity[];
}

/** What the page tells, before it is merged. */
export type SourceData = Omit<StructuredData, 'entities'>;

/** The types of schema.org that entities can have. More special types belong to the one that they are a kind of. */
export type EntityType =
  | 'Product'
  | 'Article'
  | 'JobPosting'
  | 'Recipe'
  | 'Event'
  | 'Organization'
  | 'BreadcrumbList'
  | 'FAQPage'
  | 'Review'
  | 'Offer';

/** The syntaxes that a value can be told in. */
export type EntitySource = 'json_ld' | 'microdata' | 'rdfa' | 'og' | 'table';

/**
 * A thing that the page is about. What is told of it several times is merged. All members but `type` are properties of
 * schema.org, each with its values, the best first; `additionalType` is a more special type that the page names.
 */
export interface Entity {
  readonly type: EntityType;
  readonly [property: string]: string | readonly EntityValue[];
}

export interface EntityValue {
  /** URLs are absolute. */
  readonly value: string | number | boolean | EntityPart;
  readonly from: EntitySource;
  /** Where the value stands: a JSON pointer (RFC 6901) into the structured data. */
  readonly path: string;
}

/** A thing that is only told of as a value of another, such as the offer of a product. */
export interface EntityPart {
  /** A type of schema.org; null if the page names none. */
  readonly type: string | null;
  readonly [property: string]: string | null | readonly EntityValue[];
}
