/** Writes docs/openapi.json. With `--check` it writes nothing, and fails when the file is not what it should be. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiDocument } from '../src/http/endpoints.ts';
import { writeOrCheck } from './write-or-check.ts';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
writeOrCheck(join(root, 'docs/openapi.json'), `${JSON.stringify(apiDocument({ version }), null, 2)}\n`);
