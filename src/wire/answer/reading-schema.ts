import { Type } from 'typebox';
import { closed, mapOf, orNull } from '../../domain/json-schema.ts';
import { DocumentInfoSchema } from './document-schema.ts';

const Text = orNull(Type.String());
const Texts = Type.Array(Type.String());
/** A name that occurs once in the page has a text, a repeated name has a list of texts. */
const NamedTexts = mapOf(Type.Union([Type.String(), Texts]));
const Pixels = orNull(Type.Number({ minimum: 0 }));
const Things = (description: string) =>
  Type.Array(Type.Object({}, { additionalProperties: true }), { description });

export const PageLinkSchema = closed(
  {
    url: Type.String({ description: 'Absolute http or https URL, including its fragment.' }),
    text: Type.String({
      description:
        'The visible text of the link on one line; if it has none, the alternative text of its image, its label or its title.',
    }),
    rel: Type.Array(Type.String(), { description: 'Tokens of the `rel` attribute, in lower case.' }),
    nofollow: Type.Boolean({ description: 'Whether every link to this URL has `rel="nofollow"`.' }),
  },
  { title: 'PageLink' },
);

export const PageMetadataSchema = closed(
  {
    title: Text,
    description: Text,
    canonical: Text,
    language: Text,
    author: Text,
    site_name: Text,
    image: Text,
    favicon: orNull(Type.String(), {
      description: 'Icon declared by the page. `/favicon.ico` is not assumed.',
    }),
    keywords: Texts,
    published: orNull(Type.String(), { description: 'The date as written in the page.' }),
    modified: orNull(Type.String(), { description: 'The date as written in the page.' }),
    generator: Text,
    robots: Type.Array(Type.String(), {
      description: 'Directives of `<meta name="robots">`, in lower case.',
    }),
    charset: Text,
    content_type: Type.String({ description: 'Media type used to parse the page.' }),
    open_graph: { ...NamedTexts, description: 'Names without the prefix `og:`. Other prefixes are kept.' },
    twitter: { ...NamedTexts, description: 'Names without the prefix `twitter:`.' },
    json_ld: Type.Array(Type.Unknown(), {
      description: 'JSON-LD blocks, at most 50 and 256 KiB in total.',
    }),
    feeds: Type.Array(closed({ url: Type.String(), type: Type.String(), title: Text })),
    alternates: Type.Array(closed({ language: Type.String(), url: Type.String() }), {
      description: 'Versions in other languages (`hreflang`).',
    }),
  },
  { title: 'PageMetadata', description: 'Metadata of the page. URLs are absolute.' },
);

const Pixel = Type.Integer({ minimum: 0 });

export const MainContentSchema = closed(
  {
    kind: Type.Enum(['article', 'listing', 'product', 'discussion', 'document', 'other']),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    selector: Type.String({
      description: 'A CSS selector that finds its first element; not the title, if it is outside.',
    }),
    share_of_text: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The share of the visible text of the page that it has.',
    }),
    method: Type.String({ description: 'How it was found, in a word.' }),
    box: orNull(closed({ x: Pixel, y: Pixel, width: Pixel, height: Pixel }), {
      description:
        'The smallest rectangle around its elements in the screenshot, in pixels of the picture. null: there is no screenshot, it does not show them, or where they are is unknown, as for stored pages.',
    }),
    boilerplate: Type.Optional(
      closed(
        { blocks: Type.Integer({ minimum: 0 }), characters: Type.Integer({ minimum: 0 }) },
        { description: 'In crawls with `site_boilerplate`: what was left out because most pages have it.' },
      ),
    ),
  },
  { title: 'MainContent', description: 'What the main content of the page is.' },
);

export const StructuredDataSchema = closed(
  {
    json_ld: Things('The objects of all JSON-LD blocks, as the page writes them.'),
    microdata: Things('The items of microdata: `{type, id, properties}`.'),
    rdfa: Things('RDFa as expanded JSON-LD.'),
    open_graph: { ...NamedTexts, description: 'Names without the prefix `og:`. Other prefixes are kept.' },
    twitter: { ...NamedTexts, description: 'Names without the prefix `twitter:`.' },
    tables: Type.Array(closed({ caption: Text, header: Texts, rows: Type.Array(Texts) }), {
      description: 'The tables with data. A cell that spans others is repeated in them.',
    }),
    entities: Type.Array(Type.Object({ type: Type.String() }, { additionalProperties: true }), {
      description:
        'What the page is about, from all of the above, merged: a `type` and properties of schema.org. Each property is a list of `{value, from, path}`; `path` is a JSON Pointer into `structured`.',
    }),
  },
  { title: 'StructuredData', description: 'Structured data and tables of the page.' },
);

export const PageImageSchema = closed(
  {
    url: Type.String({ description: 'The best candidate, absolute.' }),
    alt: orNull(Type.String(), { description: 'Alternative text. Empty if the image is only decoration.' }),
    width: { ...Pixels, description: 'As the page gives it, in CSS pixels.' },
    height: { ...Pixels, description: 'As the page gives it, in CSS pixels.' },
    candidates: Type.Array(
      closed({
        url: Type.String(),
        width: { ...Pixels, description: 'Width of the file in pixels.' },
        density: { ...Pixels, description: 'Pixels of the file for each CSS pixel.' },
      }),
      { description: 'All files that the image is offered as, the best first.' },
    ),
  },
  { title: 'PageImage' },
);

const Moment = orNull(Type.String({ format: 'date-time' }));

const FeedEntrySchema = closed(
  {
    id: Text,
    url: Text,
    title: orNull(Type.String(), { description: 'Without markup.' }),
    summary: orNull(Type.String(), { description: 'Text or HTML, as the feed has it.' }),
    content: orNull(Type.String(), { description: 'Text or HTML, as the feed has it.' }),
    published: Moment,
    updated: Moment,
    authors: Texts,
    categories: Texts,
    image: Text,
    attachments: Type.Array(
      closed({ url: Type.String(), type: Text, bytes: orNull(Type.Integer({ minimum: 0 })) }),
    ),
  },
  { title: 'FeedEntry', description: 'An entry of RSS, Atom or JSON Feed.' },
);

const SitemapEntrySchema = closed(
  {
    url: Type.String(),
    updated: Moment,
    change_frequency: Text,
    priority: orNull(Type.Number()),
  },
  { title: 'SitemapEntry', description: 'A page in a sitemap, or a sitemap in an index.' },
);

export const FeedSchema = closed(
  {
    kind: Type.Enum(['rss', 'rdf', 'atom', 'json_feed', 'sitemap', 'sitemap_index']),
    title: Text,
    description: Text,
    url: orNull(Type.String(), { description: 'The page that the feed belongs to.' }),
    language: Text,
    updated: Moment,
    next: orNull(Type.String(), { description: 'URL of the next part of the feed.' }),
    items: Type.Array(Type.Union([FeedEntrySchema, SitemapEntrySchema])),
    truncated: Type.Boolean({ description: 'Whether the feed has more entries than these.' }),
  },
  { title: 'Feed', description: 'A feed or a sitemap. URLs are absolute.' },
);

const Pointer = Type.String({ description: 'A JSON pointer into `value`.' });

const ValueSourceSchema = closed({
  from: Type.Enum(['json_ld', 'microdata', 'rdfa', 'og', 'table', 'text', 'model'], {
    description:
      '`og`: Open Graph. `text`: text of the page, its title or a `meta` element. `model`: found in the page by the model.',
  }),
  path: Type.Optional(
    Type.String({ description: 'A JSON pointer into `structured`, or into a page that is JSON.' }),
  ),
  selector: Type.Optional(Type.String({ description: 'CSS selector of the element.' })),
  quote: Type.Optional(Type.String({ description: 'The text of the page that says so.' })),
});

export const JsonResultSchema = closed(
  {
    value: Type.Unknown({
      description:
        'Data by your schema. What the page does not say is left out, or null if the schema requires it and allows null.',
    }),
    valid: Type.Boolean({ description: 'Whether `value` matches your schema.' }),
    missing: Type.Array(Pointer, { description: 'What the page does not say.' }),
    invalid: Type.Array(closed({ pointer: Pointer, message: Type.String() }), {
      description: 'What does not match your schema, apart from what is missing.',
    }),
    sources: mapOf(ValueSourceSchema, {
      description: 'Where each value is in the page, by JSON pointer into `value`.',
    }),
    model: orNull(
      closed({
        name: Type.String(),
        tokens_in: Type.Integer({ minimum: 0 }),
        tokens_out: Type.Integer({ minimum: 0 }),
      }),
      { description: 'The model that looked for what was missing; null: none was asked.' },
    ),
  },
  { title: 'JsonResult', description: 'Your JSON Schema filled with what the page says.' },
);

/** The members of `scraper_data` that are read from the text of a page. */
export const READING_MEMBERS = {
  html: Type.Optional(orNull(Type.String())),
  text: Type.Optional(orNull(Type.String())),
  links: Type.Optional(orNull(Type.Array(PageLinkSchema))),
  metadata: Type.Optional(orNull(PageMetadataSchema)),
  markdown: Type.Optional(orNull(Type.String(), { description: 'CommonMark with tables of GFM.' })),
  main_html: Type.Optional(
    orNull(Type.String(), { description: 'The main content as HTML without scripts, styles and classes.' }),
  ),
  structured: Type.Optional(orNull(StructuredDataSchema)),
  images: Type.Optional(orNull(Type.Array(PageImageSchema))),
  feed: Type.Optional(orNull(FeedSchema)),
  json: Type.Optional(orNull(JsonResultSchema)),
  main: Type.Optional(orNull(MainContentSchema)),
  document: Type.Optional(DocumentInfoSchema),
  extract_template: Type.Optional(
    closed(
      { name: Type.String(), version: Type.Integer() },
      { description: 'The template whose rules were used, and its version.' },
    ),
  ),
  extract: Type.Optional(
    orNull(mapOf(Type.Unknown()), {
      description:
        'Extracted values by rule name: a string, number, boolean or object, a list of these, or null if nothing matched.',
    }),
  ),
};
