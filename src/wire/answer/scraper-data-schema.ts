import { Type } from 'typebox';
import { closed, mapOf, orNull } from '../schema/build.ts';

const Text = orNull(Type.String());
const Texts = Type.Array(Type.String());
/** A name that the page gives once has a text, one that it gives several times a list. */
const Named = mapOf(Type.Union([Type.String(), Texts]));

export const PageLink = closed(
  {
    url: Type.String({ description: 'Absolute, http or https, with its fragment.' }),
    text: Type.String({
      description:
        'What is to be read on it, else the text for its image, its label or its title; on one line.',
    }),
    rel: Type.Array(Type.String(), { description: 'Tokens of `rel`, lower-case.' }),
    nofollow: Type.Boolean({ description: 'Every link to this URL says `rel="nofollow"`.' }),
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
    favicon: orNull(Type.String(), { description: 'As the page names it; `/favicon.ico` is not guessed.' }),
    keywords: Texts,
    published: orNull(Type.String(), { description: 'As the page writes it.' }),
    modified: orNull(Type.String(), { description: 'As the page writes it.' }),
    generator: Text,
    robots: Type.Array(Type.String(), { description: 'Directives of `<meta name="robots">`, lower-case.' }),
    charset: Text,
    content_type: Type.String({ description: '`type/subtype` that the page was read as.' }),
    open_graph: { ...Named, description: 'Without the prefix `og:`; other prefixes stay.' },
    twitter: { ...Named, description: 'Without the prefix `twitter:`.' },
    json_ld: Type.Array(Type.Unknown(), {
      description: 'Each block that is JSON, at most 50 and 256 KiB in all.',
    }),
    feeds: Type.Array(closed({ url: Type.String(), type: Type.String(), title: Text })),
    alternates: Type.Array(closed({ language: Type.String(), url: Type.String() }), {
      description: 'The same in other languages (`hreflang`).',
    }),
  },
  { title: 'PageMetadata', description: 'What the page says of itself. URLs are absolute.' },
);

export const ActionResult = closed(
  {
    index: Type.Integer({
      minimum: 0,
      description: 'Place in `page_actions`; of an action within `if`, that of the `if`, which it follows.',
    }),
    id: Text,
    type: Type.String(),
    status: Type.Enum(['ok', 'failed', 'skipped']),
    duration_ms: Type.Integer({ minimum: 0 }),
    result: Type.Optional(
      Type.Unknown({ description: 'What the action tells; see its type. Not kept with `router.retain`.' }),
    ),
    error: Type.Optional(closed({ code: Type.String(), message: Type.String() })),
  },
  { title: 'ActionResult', description: 'What became of a page action.' },
);

export const CapturedExchange = closed(
  {
    url: Type.String({ description: 'Without credentials.' }),
    method: Type.String(),
    status: orNull(Type.Integer(), { description: 'null: no answer came.' }),
    resource_type: Type.String({ description: '`document`, `script`, `xhr`, `fetch` …' }),
    request_headers: mapOf(Type.String(), { description: 'As sent, secrets masked.' }),
    headers: mapOf(Type.String(), { description: 'Lower-case names; duplicates joined.' }),
    body: orNull(Type.String(), {
      description: 'null: not asked for, there is none (a redirect), it did not come, or it is too long.',
    }),
    body_encoding: orNull(Type.Enum(['utf-8', 'base64'])),
    truncated: Type.Boolean({ description: 'There is more of the body than is told.' }),
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
          'By the names of the rules: a text, an object, a list of these, or null for what is not there.',
      }),
    ),
    actions: Type.Optional(
      Type.Array(ActionResult, {
        description:
          'Every page action in its order; of an `if` those of the branch that was gone, and not those of the other.',
      }),
    ),
    network: Type.Optional(
      Type.Array(CapturedExchange, {
        description: 'What `capture` asks for, in the order in which the page asked for it; redirects apart.',
      }),
    ),
  },
  {
    title: 'ScraperData',
    description: 'Formats and extraction that were asked for; null: the page has none.',
  },
);
