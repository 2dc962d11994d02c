/** Writes the types of the TypeScript SDK from the description of the API. With `--check` it only compares. */
import { join } from 'node:path';
import { sdkSchemas, typescriptTypes } from './client-schemas.ts';
import { writeOrCheck } from './write-or-check.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Sluice', version: '1' },
  paths: {},
  components: { schemas: sdkSchemas() },
};
const types = await typescriptTypes(document, {
  emptyObjectsUnknown: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
});
// Every byte is installed with the SDK: half the indentation, and no comments that repeat the type.
const short = types
  .replace(/^( {4})+/gm, (indent) => ' '.repeat(indent.length / 4))
  .replace(/^ *\/\*\* @enum \{\w+\} \*\/\n/gm, '')
  .replace(
    /^ *\* (?:@enum \{\w+\}|@description discriminator enum property added by openapi-typescript)\n/gm,
    '',
  );
writeOrCheck(
  join(import.meta.dirname, '../clients/typescript/src/types.gen.ts'),
  `/** Made from the description of the API by scripts/generate-typescript-sdk.ts. */\n${short}`,
);
