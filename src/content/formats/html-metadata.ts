import { HeadCollector } from './head-collector.ts';
import type { UnreadBlock } from './json-ld.ts';
import { short } from './named-values.ts';
import type { PageFacts } from './page-facts.ts';
import { type MessageFacts, noMetadata, type PageMetadata } from './page-metadata.ts';
import { webUrl } from './page-urls.ts';
import { elementsOf } from './walk-tree.ts';

/** What an HTML page says of itself. Of several sources the one that is written for the purpose counts first. */
export function htmlMetadata(
  { tree, urls }: PageFacts,
  message: MessageFacts,
): { readonly metadata: PageMetadata; readonly unread: readonly UnreadBlock[] } {
  const seen = new HeadCollector(urls);
  for (const element of elementsOf(tree.root)) seen.see(element);
  const { names, graph, twitter, items, jsonLd } = seen;
  const image = graph.first('image', 'image:url', 'image:secure_url') ?? twitter.first('image', 'image:src');
  const metadata = {
    ...noMetadata(message),
    title: seen.title ?? graph.first('title') ?? twitter.first('title'),
    description: names.first('description') ?? graph.first('description') ?? twitter.first('description'),
    canonical: seen.canonical,
    language: seen.language ?? names.first('content-language'),
    author:
      names.first('author', 'dc.creator') ??
      nameOnly(graph.first('article:author')) ??
      short(jsonLd.first('author')),
    site_name: graph.first('site_name') ?? names.first('application-name'),
    image: image === null ? null : webUrl(image, urls.base),
    favicon: seen.icon ?? seen.touchIcon,
    keywords: listOf(names.first('keywords')),
    published:
      graph.first('article:published_time') ??
      short(jsonLd.first('datePublished')) ??
      items.first('datepublished') ??
      seen.time ??
      names.first('date', 'dc.date', 'dcterms.created', 'pubdate'),
    modified:
      graph.first('article:modified_time', 'updated_time') ??
      short(jsonLd.first('dateModified')) ??
      items.first('datemodified') ??
      names.first('last-modified', 'dcterms.modified'),
    generator: names.first('generator'),
    robots: [
      ...new Set(
        names
          .all('robots')
          .flatMap(listOf)
          .map((directive) => directive.toLowerCase()),
      ),
    ],
    open_graph: graph.object(),
    twitter: twitter.object(),
    json_ld: jsonLd.blocks,
    feeds: seen.feeds,
    alternates: seen.alternates,
  };
  return { metadata, unread: jsonLd.unread };
}

/** Some write the URL of a profile there. */
function nameOnly(author: string | null): string | null {
  return author === null || /^https?:/i.test(author) ? null : author;
}

function listOf(text: string | null): string[] {
  if (text === null) return [];
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '').slice(0, 100);
}
