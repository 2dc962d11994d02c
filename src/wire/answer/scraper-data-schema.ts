import { Type } from 'typebox';
import { closed, mapOf, orNull } from '../schema/build.ts';

const Text = orNull(Type.String());
const Texts = Type.Array(Type.String());
/** A name that the page gives once has a text, one that it gives several times a list. */
const Named = mapOf(Type.Union([Type.String(), Texts]));

export const PageLink = closed(
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

export const PageMetadata = closed(
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
    open_graph: { ...Named, description: 'Names without the prefix `og:`. Other prefixes are kept.' },
    twitter: { ...Named, description: 'Names without the prefix `twitter:`.' },
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

export const ActionResult = closed(
  {
    index: Type.Integer({
      minimum: 0,
      description:
        'Position in `page_actions`. Actions inside an `if` have the index of the `if`, and follow it.',
    }),
    id: Text,
    type: Type.String(),
    status: Type.Enum(['ok', 'failed', 'skipped']),
    duration_ms: Type.Integer({ minimum: 0 }),
    result: Type.Optional(
      Type.Unknown({
        description:
          'Result of the action; depends on its type. Not stored if `router.retain` is not `full`.',
      }),
    ),
    error: Type.Optional(closed({ code: Type.String(), message: Type.String() })),
  },
  { title: 'ActionResult', description: 'Result of a page action.' },
);

export const CapturedExchange = closed(
  {
    url: Type.String({ description: 'URL without credentials.' }),
    method: Type.String(),
    status: orNull(Type.Integer(), { description: 'null if there was no response.' }),
    resource_type: Type.String({ description: '`document`, `script`, `xhr`, `fetch` …' }),
    request_headers: mapOf(Type.String(), { description: 'Request headers as sent, with secrets masked.' }),
    headers: mapOf(Type.String(), { description: 'Names in lower case; repeated headers are joined.' }),
    body: orNull(Type.String(), {
      description:
        'null if it was not requested, the response has none (a redirect), it was not received, or it is too long.',
    }),
    body_encoding: orNull(Type.Enum(['utf-8', 'base64'])),
    truncated: Type.Boolean({ description: 'Whether the body was truncated.' }),
  },
  { title: 'CapturedExchange' },
);

export const ScraperData = closed(
  {
    charset: Type.Optional(closed({ name: Type.String(), source: Type.String() })),
    html: Type.Optional(orNull(Type.String())),
    text: Type.Optional(orNull(Type.String())),
    links: Type.Optional(orNull(Type.Array(PageLink))),
    metadata: Type.Optional(orNull(PageMetadata)),
    extract: Type.Optional(
      orNull(mapOf(Type.Unknown()), {
        description:
          'Extracted values by rule name: a string, an object, a list of these, or null if nothing matched.',
      }),
    ),
    actions: Type.Optional(
      Type.Array(ActionResult, {
        description:
          'Results of all page actions in order. For an `if`, only the actions of the branch that was run are included.',
      }),
    ),
    network: Type.Optional(
      Type.Array(CapturedExchange, {
        description:
          'Requests that match `capture`, in the order the page sent them. Each redirect is an entry of its own.',
      }),
    ),
  },
  {
    title: 'ScraperData',
    description: 'The requested formats and extracted data. null if the page has none.',
  },
);
