/** Writes the table of docs/configuration.md from the table of variables. With `--check` it only compares. */
import { join } from 'node:path';
import { configTable } from '../src/config/config.ts';
import { replaceBetween } from './replace-between.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const rows = configTable().map(
  ({ name, fallback, doc }) => `| \`${name}\` | ${cell(fallback)} | ${cell(doc)} |`,
);
const table = ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
replaceBetween(join(import.meta.dirname, '..', 'docs', 'configuration.md'), 'config', table);
