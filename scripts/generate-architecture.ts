/** Writes the table of rooms in docs/architecture.md from rooms.cjs. With `--check` it only compares. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { replaceBetween } from './replace-between.ts';

const table: {
  rooms: Readonly<Record<string, readonly string[]>>;
  owns: Readonly<Record<string, string>>;
} = createRequire(import.meta.url)('../rooms.cjs');

const code = (name: string): string => `\`${name}\``;
const rows = Object.entries(table.rooms).map(([room, may]) => {
  const owns = table.owns[room];
  if (owns === undefined) throw new Error(`rooms.cjs does not say what ${room} owns`);
  return `| ${code(room)} | ${owns} | ${may.length === 0 ? '–' : may.map(code).join(' ')} |`;
});
const file = join(import.meta.dirname, '..', 'docs', 'architecture.md');
replaceBetween(file, 'rooms', ['| Room | Owns | May import |', '|---|---|---|', ...rows].join('\n'));
