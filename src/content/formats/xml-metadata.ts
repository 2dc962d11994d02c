import type { TreeNode } from '../page-tree.ts';
import { short } from './named-values.ts';
import { type PageFacts, rootElement } from './page-facts.ts';
import { type MessageFacts, noMetadata, type PageMetadata } from './page-metadata.ts';
import { webUrl } from './page-urls.ts';
import { attributeOf, rawText } from './walk-tree.ts';

/** What a feed says of itself (RSS 2.0, RSS 1.0, Atom), and what any XML has at its root. */
export function xmlMetadata({ tree, urls }: PageFacts, message: MessageFacts): PageMetadata {
  const root = rootElement(tree);
  const children = (node: TreeNode | null | undefined) => node?.childNodes ?? [];
  const channel = children(root).find((node) => node.tagName === 'channel') ?? root;
  const members = children(channel).filter((node) => node.tagName !== undefined);
  const text = (...names: readonly string[]): string | null => {
    for (const name of names) {
      const member = members.find((node) => node.tagName === name);
      const found = member === undefined ? null : short(rawText(member, 8000));
      if (found !== null) return found;
    }
    return null;
  };
  const author = members.find((node) => node.tagName === 'author');
  const authorName = children(author).find((node) => node.tagName === 'name');
  const image = members.find((node) => node.tagName === 'image');
  const imageUrl = children(image).find((node) => node.tagName === 'url');
  const home = homeOf(members);
  const picture = imageUrl === undefined ? text('logo') : short(rawText(imageUrl, 8000));
  const icon = text('icon');
  return {
    ...noMetadata(message),
    title: text('title'),
    description: text('description', 'subtitle'),
    canonical: home === null ? null : webUrl(home, urls.base),
    language: text('language') ?? short(root === null ? null : attributeOf(root, 'xml:lang')),
    author:
      authorName === undefined
        ? text('author', 'creator', 'managingEditor')
        : short(rawText(authorName, 8000)),
    image: picture === null ? null : webUrl(picture, urls.base),
    favicon: icon === null ? null : webUrl(icon, urls.base),
    published: text('pubDate', 'published'),
    modified: text('lastBuildDate', 'updated'),
    generator: text('generator'),
  };
}

/** The page that the feed belongs to: a text in RSS, an attribute in Atom. */
function homeOf(members: readonly TreeNode[]): string | null {
  for (const link of members) {
    if (link.tagName !== 'link') continue;
    const rel = attributeOf(link, 'rel') ?? 'alternate';
    const href = attributeOf(link, 'href') ?? short(rawText(link, 8000));
    if (rel === 'alternate' && href !== null) return href;
  }
  return null;
}
