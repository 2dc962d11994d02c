import { t } from '@lingui/core/macro';

/** Values of `scope`. */
export const SCOPES = [
  { value: 'host', label: t`The same host` },
  { value: 'path', label: t`Below the same path` },
  { value: 'domain', label: t`The same domain, with subdomains` },
  { value: 'any', label: t`All hosts` },
];

/** Values of `sitemap`. */
export const SITEMAPS = [
  { value: 'include', label: t`Sitemaps and links` },
  { value: 'only', label: t`Only sitemaps` },
  { value: 'ignore', label: t`Only links` },
];

/** Attributes of the fields for patterns. */
export const PATTERNS = {
  autosize: true,
  minRows: 2,
  maxRows: 10,
  classNames: { input: 'mono' },
  spellCheck: false,
};

/** The field for the patterns of URLs to visit. */
export const INCLUDE = {
  label: t`Only these URLs`,
  placeholder: '/docs/**',
  description: t`Globs or /regular expressions/, one per line.`,
  ...PATTERNS,
};

/** The field for the patterns of URLs not to visit. */
export const EXCLUDE = { ...INCLUDE, label: t`Not these URLs`, placeholder: '*.pdf' };
