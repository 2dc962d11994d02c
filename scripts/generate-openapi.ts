/** Writes docs/openapi.json. With `--check` it writes nothing, and the exit code is 1 if the file is out of date. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiDocument } from '../src/http/server/endpoints.ts';
import { writeOrCheck } from './write-or-check.ts';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
writeOrCheck(join(root, 'docs/openapi.json'), `${JSON.stringify(apiDocument({ version }), null, 2)}\n`);
