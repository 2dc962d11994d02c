/** How content is to be read. `html`, `xml` and `json` are text with a structure; `binary` is no text. */
export type MimeKind = 'html' | 'xml' | 'json' | 'text' | 'binary';

/** Types outside of text/* that a person reads as text: scripts, data, source, play lists, keys. */
const TEXT = new Set([
  'application/x-www-form-urlencoded',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'application/x-ecmascript',
  'application/typescript',
  'application/x-typescript',
  'application/jsonp',
  'application/json5',
  'application/json-seq',
  'application/jsonl',
  'application/x-jsonlines',
  'application/ndjson',
  'application/x-ndjson',
  'application/x-json-stream',
  'application/graphql',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/x-toml',
  'application/csv',
  'application/x-csv',
  'application/sql',
  'application/x-sql',
  'application/sparql-query',
  'application/sparql-update',
  'application/n-triples',
  'application/n-quads',
  'application/trig',
  'application/x-sh',
  'application/x-shellscript',
  'application/x-csh',
  'application/x-perl',
  'application/x-python',
  'application/x-python-code',
  'application/x-ruby',
  'application/x-php',
  'application/x-httpd-php',
  'application/x-httpd-php-source',
  'application/x-tex',
  'application/x-latex',
  'application/x-troff',
  'application/x-subrip',
  'application/x-pem-file',
  'application/pem-certificate-chain',
  'application/pgp-keys',
  'application/pgp-signature',
  'application/jwt',
  'application/jose',
  'application/vnd.apple.mpegurl',
  'application/x-mpegurl',
  'audio/mpegurl',
  'audio/x-mpegurl',
]);

const JSON_TYPES = new Set(['application/json', 'text/json', 'application/x-json', 'text/x-json']);

/** @param essence `type/subtype`, lower-case (WHATWG MIME Sniffing §4.6 for JSON, XML and HTML types) */
export function mimeKind(essence: string): MimeKind {
  switch (essence) {
    case 'text/html':
      return 'html';
    case 'application/json':
      return 'json';
    case 'text/xml':
    case 'application/xml':
      return 'xml';
  }
  if (JSON_TYPES.has(essence) || essence.endsWith('+json')) return 'json';
  if (essence.endsWith('+xml')) return 'xml';
  if (essence.startsWith('text/') || essence.endsWith('+yaml') || TEXT.has(essence)) return 'text';
  return 'binary';
}
