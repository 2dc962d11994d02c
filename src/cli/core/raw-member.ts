import { JSON_TOKEN } from '../../wire/request/exact-numbers.ts';

/**
 * The text of the value of a member, in which long numbers are as they were written. `JSON.parse` with a reviver gives them, too,
 * but takes a minute for 5 MiB.
 * @param json the text of a JSON object
 * @returns null: there is no such member
 */
export function rawMember(json: string, name: string): string | null {
  let depth = 0;
  let isName = true;
  let isWanted = false;
  let start = 0;
  for (const { 0: token, index } of json.matchAll(JSON_TOKEN)) {
    const isClosing = token === '}' || token === ']';
    if (isClosing) depth--;
    if (depth === 1 && isName && !isClosing) {
      isWanted = JSON.parse(token) === name;
      isName = false;
      continue;
    }
    if (depth === 1 && !isClosing) start = index;
    if (token === '{' || token === '[') depth++;
    if (depth === 1 && index > 0) {
      if (isWanted) return json.slice(start, index + token.length);
      isName = true;
    }
  }
  return null;
}
