/** Values of `scope`. */
export const SCOPES = [
  { value: 'host', label: 'The same host' },
  { value: 'path', label: 'Below the same path' },
  { value: 'domain', label: 'The same domain, with subdomains' },
  { value: 'any', label: 'All hosts' },
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
  label: 'Only these URLs',
  placeholder: '/docs/**',
  description: 'Globs or /regular expressions/, one per line.',
  ...PATTERNS,
};

/** The field for the patterns of URLs not to visit. */
export const EXCLUDE = { ...INCLUDE, label: 'Not these URLs', placeholder: '*.pdf' };
