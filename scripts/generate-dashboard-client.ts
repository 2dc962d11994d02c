/** Writes the types of the dashboard's client from the description of the API. With `--check` it only compares. */
import { join } from 'node:path';
import { openApiDocument, typescriptTypes } from './client-schemas.ts';
import { writeOrCheck } from './write-or-check.ts';

writeOrCheck(
  join(import.meta.dirname, '../dashboard/src/api/schema.gen.ts'),
  `/** Made from the description of the API by scripts/generate-dashboard-client.ts. */\n${await typescriptTypes(openApiDocument())}`,
);
