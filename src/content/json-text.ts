/** What servers put before JSON so that no page can run it as a script: `)]}',` · `while(1);` · `for(;;);` · `{}&&`. */
const GUARD = /^\s*(?:\)\]\}'?,?|while\s*\(1\);|for\s*\(;;\);|\{\}\s*&&)\s*/;
/** JSONP: one call, maybe behind an empty comment or a check that its function exists. */
const JSONP = /^\s*(?:\/\*\*\/)?\s*(?:typeof [\w$.]+ === ?'function' && )?[\w$.[\]]+\s*\((.*)\)\s*;?\s*$/s;

/**
 * The JSON documents (RFC 8259) in a text: one, also behind a byte order mark, behind a guard, or as JSONP; or one a
 * line (NDJSON, and JSON text sequences of RFC 7464). Throws SyntaxError when the text is none of these.
 */
export function jsonDocuments(text: string): readonly unknown[] {
  const plain = text.replace(/^\ufeff/, '');
  try {
    return [JSON.parse(plain)];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const inside = GUARD.test(plain) ? plain.replace(GUARD, '') : JSONP.exec(plain)?.[1];
  if (inside !== undefined) return [JSON.parse(inside)];
  const lines = plain.split(/[\n\x1e]/).filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line));
}
