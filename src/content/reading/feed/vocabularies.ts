/** Names of the elements of feeds and sitemaps, by their namespaces: the prefix is chosen by whoever writes the file. */

/** The prefix that the readers know a vocabulary by; empty: the elements of feeds and sitemaps themselves. */
const PREFIXES: readonly (readonly [namespace: RegExp, prefix: string])[] = [
  [/^https?:\/\/(?:www\.)?sitemaps\.org\/schemas\/sitemap\//, ''],
  [/^https?:\/\/www\.google\.com\/schemas\/sitemap\/0\.\d+/, ''],
  [/^https?:\/\/www\.w3\.org\/2005\/atom/, ''],
  [/^https?:\/\/purl\.org\/(?:atom\/ns|rss\/1\.0\/?(?:$|#))/, ''],
  [
    /^https?:\/\/(?:my\.netscape\.com\/rdf\/simple|backend\.userland\.com\/rss|channel\.netscape\.com\/rdf)/,
    '',
  ],
  [/^https?:\/\/purl\.org\/dc\/elements\//, 'dc:'],
  [/^https?:\/\/purl\.org\/dc\/terms\//, 'dcterms:'],
  [/^https?:\/\/purl\.org\/rss\/1\.0\/modules\/content\//, 'content:'],
  [/^https?:\/\/search\.yahoo\.com\/mrss/, 'media:'],
  [/^https?:\/\/www\.itunes\.com\/dtds\/podcast/, 'itunes:'],
  [/^https?:\/\/www\.w3\.org\/1999\/xhtml/, 'xhtml:'],
  [/^https?:\/\/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns/, 'rdf:'],
];

/** The name without its prefix. */
export const localPart = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The prefix of a name, without the colon; empty: it has none. */
export const prefixOf = (name: string): string => name.slice(0, Math.max(0, name.indexOf(':')));

/**
 * The name by which the readers know an element.
 * @param name as written, with its prefix
 * @param namespace what the prefix stands for; null: it is not declared
 * @param root name and namespace of the root element, to whose vocabulary the file belongs, whatever it is called
 */
export function knownName(
  name: string,
  namespace: string | null,
  root: { readonly name: string; readonly namespace: string | null },
): string {
  if (namespace === null) {
    // Undeclared: some files only leave the declaration out.
    const isOwn = prefixOf(name) === prefixOf(root.name) || UNDECLARED.test(name);
    return isOwn ? localPart(name) : name;
  }
  const known = PREFIXES.find(([pattern]) => pattern.test(namespace.trim().toLowerCase()));
  if (known !== undefined) return known[1] + localPart(name);
  if (namespace === root.namespace) return localPart(name);
  if (USUAL.test(name)) return localPart(name);
  return prefixOf(name) === '' ? `other:${name}` : name;
}

/** Prefixes that mean the vocabulary of the file, where their namespace is wrong. */
const USUAL = /^(?:atom|atom03|rss|sitemap|sm):/;
const UNDECLARED = /^(?:atom|atom03|rss|sitemap|sm|ns\d?):/;
