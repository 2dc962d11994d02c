/**
 * Counts the hand-written lines of `src` and `dashboard/src` by room: without generated files and catalogs. Usage:
 * count-lines [<commit>] (with its lines, and the difference)
 */
import { execFileSync } from 'node:child_process';

const FILES = ['src', 'dashboard/src', ':!*.gen.ts', ':!*.po', ':!*/schema.sql'];

/** Room → lines. @param commit null: the files as they are now */
function linesByRoom(commit: string | null): Map<string, number> {
  const listed = execFileSync(
    'git',
    ['grep', '-c', '', ...(commit === null ? [] : [commit]), '--', ...FILES],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 24,
    },
  );
  const rooms = new Map<string, number>();
  for (const line of listed.trim().split('\n')) {
    const [path, count] = line.split(':').slice(-2);
    const room = /^(?:dashboard\/src|src(?:\/adapters)?)(?:\/[^/]+(?=\/))?/.exec(path!)![0];
    rooms.set(room, (rooms.get(room) ?? 0) + Number(count));
  }
  return rooms;
}

const sum = (rooms: Map<string, number>) => [...rooms.values()].reduce((total, count) => total + count, 0);

const [commit] = process.argv.slice(2);
const now = linesByRoom(null);
const then = commit === undefined ? null : linesByRoom(commit);
const row = (room: string, lines: number, before: number) =>
  console.log(
    `${String(lines).padStart(7)}${then === null ? '' : `${String(before).padStart(9)}${String(lines - before).padStart(8)}`}  ${room}`,
  );
if (then !== null) console.log(`    now${commit!.slice(0, 8).padStart(9)}    more`);
for (const room of [...new Set([...now.keys(), ...(then?.keys() ?? [])])].sort())
  row(room, now.get(room) ?? 0, then?.get(room) ?? 0);
row('in all', sum(now), then === null ? 0 : sum(then));
