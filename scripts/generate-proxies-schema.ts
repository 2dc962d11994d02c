/** Writes docs/proxies.schema.json, for editors. With `--check` it writes nothing, and fails if the file is out of date. */
import { join } from 'node:path';
import { PoolSchema, PoolsSchema } from '../src/wire/pools-file.ts';
import { writeOrCheck } from './write-or-check.ts';

// The service checks proxy URLs with a parser, for better messages. Editors get patterns for the same rules.
/** JSON Schema patterns have no flag for case. */
const SCHEME = '(?:[Hh][Tt][Tt][Pp][Ss]?|[Ss][Oo][Cc][Kk][Ss]5[Hh]?)://';
const HOST_AND_PORT = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[^\s:@/?#\[\]]+):\d{1,5}`;
/** A URL, or one of the forms in lists of proxies: `user:password@host:port`, `host:port:user:password`. */
const PROXY = [
  String.raw`${SCHEME}[^/?#\\]+/?`,
  `(?:${SCHEME})?${HOST_AND_PORT}(?::[^:]+:.*)?`,
  `[^:]*:.*@${HOST_AND_PORT}`,
].join('|');
const PROXY_URL = String.raw`^\s*(?:${PROXY})\s*$`;
const pool = structuredClone(PoolSchema);
const [text, object] = pool.properties.proxies.items.anyOf;
for (const url of [text, object.properties.url, pool.properties.template])
  Object.assign(url, { pattern: PROXY_URL });
const entry = { oneOf: [text, object] };
const items = {
  ...pool,
  properties: { ...pool.properties, proxies: { ...pool.properties.proxies, items: entry } },
  oneOf: [{ required: ['proxies'] }, { required: ['template'] }],
};

const { properties, ...rest } = PoolsSchema;
const pools = { ...properties.pools, items };
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...rest,
  properties: { ...properties, pools },
};
writeOrCheck(
  join(import.meta.dirname, '../docs/proxies.schema.json'),
  `${JSON.stringify(schema, null, 2)}\n`,
);
