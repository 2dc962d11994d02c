/** Writes the types of the dashboard's client from the description of the API. With `--check` it only compares. */
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { VERSION } from '../src/base/version.ts';
import { apiDocument } from '../src/http/endpoints.ts';
import { writeOrCheck } from './write-or-check.ts';

// A copy as plain JSON: the generator changes what it is given.
const document = JSON.parse(JSON.stringify(apiDocument({ version: VERSION }))) as Parameters<
  typeof openapiTS
>[0];
const types = astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }));
writeOrCheck(
  join(import.meta.dirname, '../dashboard/src/api/schema.gen.ts'),
  `/** Made from the description of the API by scripts/generate-dashboard-client.ts. */\n${types}`,
);
