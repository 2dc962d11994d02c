/** Deeper than this the indentation no longer grows. */
const MOST_DEPTH = 40;
/** What would become larger than so many times itself stays as it is: brackets alone could fill the memory. */
const MOST_GROWTH = 8;

/** A string, also one without its end; a mark; anything else. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s"{}[\],:]+/gs;

/**
 * JSON with a member a line. It works on the text, so that numbers and doubled members stay as the target sent them,
 * and what is no JSON comes out with its own characters in their order, other than white space.
 */
export function indentJson(text: string): string {
  const pieces: string[] = [];
  let depth = 0;
  let indented = 0;
  const newline = () => {
    const text = `\n${'  '.repeat(Math.min(depth, MOST_DEPTH))}`;
    indented += text.length;
    return text;
  };
  for (const [token] of text.matchAll(TOKENS)) {
    if (indented > text.length * MOST_GROWTH + 100_000) return text;
    const last = pieces.at(-1);
    if (token === '{' || token === '[') {
      depth++;
      pieces.push(token, newline());
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      // An empty one stays in one piece.
      const opened = pieces.at(-2) === (token === '}' ? '{' : '[') && last?.startsWith('\n') === true;
      if (opened) pieces.pop();
      else pieces.push(newline());
      pieces.push(token);
    } else if (token === ',') pieces.push(',', newline());
    else pieces.push(token === ':' ? ': ' : token);
  }
  return pieces.join('');
}
