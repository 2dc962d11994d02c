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
