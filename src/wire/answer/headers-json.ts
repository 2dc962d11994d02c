import type { HeaderList } from '../../domain/fetched.ts';
import { maskedHeader } from './mask-headers.ts';

/** Up to here looking through the list is faster than a map. */
const FEW = 32;

/**
 * Field lines as a JSON object: names as they are (lower-case), duplicates joined with `, `, `set-cookie` with a line
 * break (RFC 9110 §5.3: it cannot be joined with a comma). Text is built directly: as members of an object, names such
 * as `1` would change places and `__proto__` vanish.
 */
export function headersJson(list: HeaderList | null, masked: boolean): string {
  if (list === null || list.length === 0) return '{}';
  const first = list.length > FEW ? firstLines(list) : null;
  let text = '{';
  for (let i = 0; i < list.length; i++) {
    const name = list[i]![0];
    if ((first === null ? firstLine(list, name) : first.get(name)) !== i) continue;
    const value = joined(list, i);
    if (i > 0) text += ',';
    text += `${JSON.stringify(name)}:${JSON.stringify(masked ? maskedHeader(name, value) : value)}`;
  }
  return `${text}}`;
}

function firstLine(list: HeaderList, name: string): number {
  for (let i = 0; i < list.length; i++) if (list[i]![0] === name) return i;
  return -1;
}

function firstLines(list: HeaderList): Map<string, number> {
  const first = new Map<string, number>();
  for (let i = 0; i < list.length; i++) if (!first.has(list[i]![0])) first.set(list[i]![0], i);
  return first;
}

/** The values of all lines that have the name of line `from`, which is its first. */
function joined(list: HeaderList, from: number): string {
  const [name, value] = list[from]!;
  let text = value;
  for (let i = from + 1; i < list.length; i++) {
    if (list[i]![0] === name) text += (name === 'set-cookie' ? '\n' : ', ') + list[i]![1];
  }
  return text;
}
