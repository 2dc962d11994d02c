const WORDS: Readonly<Record<string, string>> = {
  url: 'URL',
  tls: 'TLS',
  http2: 'HTTP/2',
  json: 'JSON',
  css: 'CSS',
};
const UNITS: readonly (readonly [suffix: string, unit: string, instead: string])[] = [
  ['_ms', 'ms', ''],
  ['_s', 's', ''],
  ['_bytes', 'bytes', '_size'],
];

/** The name of a member as a label and its unit: `max_content_bytes` → `Max content size`, `bytes`. */
export function labelOf(name: string): { readonly label: string; readonly unit: string | null } {
  const found = UNITS.find(([suffix]) => name.endsWith(suffix));
  const bare = found === undefined ? name : name.slice(0, -found[0].length) + found[2];
  const text = bare
    .split('_')
    .map((word) => WORDS[word] ?? word)
    .join(' ');
  return { label: text.charAt(0).toUpperCase() + text.slice(1), unit: found?.[1] ?? null };
}
