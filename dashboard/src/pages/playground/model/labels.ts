const WORDS: Readonly<Record<string, string>> = {
  url: 'URL',
  tls: 'TLS',
  ttl: 'TTL',
  http2: 'HTTP/2',
  html: 'HTML',
  json: 'JSON',
  pdf: 'PDF',
  css: 'CSS',
  id: 'ID',
  javascript: 'JavaScript',
  x: 'X',
  y: 'Y',
};
/** The suffixes of names that tell a unit. `replacement` takes the place of the suffix in the label. */
const UNITS: readonly (readonly [suffix: string, unit: string, replacement: string])[] = [
  ['_ms', 'ms', ''],
  ['_s', 's', ''],
  ['_bytes', 'bytes', '_size'],
];

interface Label {
  /** In English, which is also the key of its translation. */
  readonly label: string;
  readonly unit: string | null;
}

/** The name of a member as a label and its unit: `max_content_bytes` → `Max content size`, `bytes`. */
export function labelOf(name: string): Label {
  if (name === 'ms') return { label: 'Duration', unit: 'ms' };
  const [suffix, unit = null, replacement] = UNITS.find(([suffix]) => name.endsWith(suffix)) ?? [];
  const withoutUnit = suffix === undefined ? name : `${name.slice(0, -suffix.length)}${replacement}`;
  const text = withoutUnit
    .split('_')
    .map((word) => WORDS[word] ?? word)
    .join(' ');
  return { label: text.charAt(0).toUpperCase() + text.slice(1), unit };
}
