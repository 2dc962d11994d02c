/** Writes docs/proxies.schema.json, for editors. With `--check` it fails when the file is not what it should be. */
import { join } from 'node:path';
import { PoolSchema, PoolsSchema } from '../src/wire/pools-file.ts';
import { writeOrCheck } from './write-or-check.ts';

/** What the service finds out with words of its own, an editor shall know, too; capitals do not matter in a scheme. */
const SCHEME = '(?:[Hh][Tt][Tt][Pp][Ss]?|[Ss][Oo][Cc][Kk][Ss]5[Hh]?)://';
const PLACE = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[^\s:@/?#\[\]]+):\d{1,5}`;
/** A URL, or one of the forms in which lists have proxies: `user:password@host:port`, `host:port:user:password`. */
const PROXY = [
  String.raw`${SCHEME}[^/?#\\]+/?`,
  `(?:${SCHEME})?${PLACE}(?::[^:]+:.*)?`,
  `[^:]*:.*@${PLACE}`,
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
