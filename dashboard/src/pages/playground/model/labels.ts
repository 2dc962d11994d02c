const WORDS: Readonly<Record<string, string>> = {
  url: 'URL',
  tls: 'TLS',
  http2: 'HTTP/2',
  json: 'JSON',
  css: 'CSS',
  id: 'ID',
  javascript: 'JavaScript',
  x: 'X',
  y: 'Y',
};
/** Members that would be called the same as another one. */
const BY_POINTER: Readonly<Record<string, string>> = {
  '/scraper_options/screenshot': 'Screenshot options',
};
const UNITS: readonly (readonly [suffix: string, unit: string, instead: string])[] = [
  ['_ms', 'ms', ''],
  ['_s', 's', ''],
  ['_bytes', 'bytes', '_size'],
];

interface Label {
  readonly label: string;
  readonly unit: string | null;
}

/** The label of a field: by its name, unless another field has the same. */
export function labelAt({ pointer, name }: { readonly pointer: string; readonly name: string }): Label {
  const own = BY_POINTER[pointer];
  return own === undefined ? labelOf(name) : { label: own, unit: null };
}

/** The name of a member as a label and its unit: `max_content_bytes` → `Max content size`, `bytes`. */
export function labelOf(name: string): Label {
  if (name === 'ms') return { label: 'Duration', unit: 'ms' };
  const found = UNITS.find(([suffix]) => name.endsWith(suffix));
  const bare = found === undefined ? name : name.slice(0, -found[0].length) + found[2];
  const text = bare
    .split('_')
    .map((word) => WORDS[word] ?? word)
    .join(' ');
  return { label: text.charAt(0).toUpperCase() + text.slice(1), unit: found?.[1] ?? null };
}
