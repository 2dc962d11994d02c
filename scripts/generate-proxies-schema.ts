/** Writes docs/proxies.schema.json, for editors. With `--check` it fails when the file is not what it should be. */
import { join } from 'node:path';
import { PoolsSchema } from '../src/wire/pools/pools-schema.ts';
import { writeOrCheck } from './write-or-check.ts';

const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...PoolsSchema };
writeOrCheck(
  join(import.meta.dirname, '../docs/proxies.schema.json'),
  `${JSON.stringify(schema, null, 2)}\n`,
);
