/** Writes docs/errors.md. With `--check` it writes nothing, and the exit code is 1 if the file is out of date. */
import { join } from 'node:path';
import { errorsTable } from '../src/http/endpoints/errors.ts';
import { writeOrCheck } from './write-or-check.ts';

const { errors, warnings } = errorsTable();
/** Those of errors that no response has come last. */
const statuses = [...new Set(errors.map((error) => error.status))].sort(
  (one, other) => (one ?? Infinity) - (other ?? Infinity),
);

const sections = statuses.map((status) => {
  const rows = errors
    .filter((error) => error.status === status)
    .map(
      ({ code, title, source, retryable, help }) =>
        `| \`${code}\` | ${title} | ${source} | ${retryable ? 'yes' : 'no'} | ${help} |`,
    );
  const heading = status === null ? 'Only in `errors[]` or in records' : `Status ${status}`;
  return [
    `## ${heading}`,
    '',
    '| code | what | source | retryable | what to do |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
});

const text = [
  '# Error codes',
  '',
  '<!-- Generated from `src/domain/failure.ts` by `npm run generate`; do not edit. -->',
  '',
  'A refusal is `application/problem+json` (RFC 9457) with a `code`. What went wrong with a page that was answered is in `errors[]`.',
  '',
  ...sections,
  '## Warnings',
  '',
  'They stand in `router.warnings[]`; nothing went wrong.',
  '',
  '| code | source | what |',
  '|---|---|---|',
  ...warnings.map(({ code, source, help }) => `| \`${code}\` | ${source} | ${help} |`),
  '',
].join('\n');

writeOrCheck(join(import.meta.dirname, '../docs/errors.md'), text);
