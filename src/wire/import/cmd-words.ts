/** Whether a command is written for cmd.exe of Windows, as browsers copy it there: with `^` at the ends of lines or before quotes. */
export const isForCmd = (line: string): boolean => /^\s*curl(?:\.exe)?\s[^']*?\^(?:"|\r?\n)/i.test(line);

/** What would run another command. */
const CMD_ONLY: Readonly<Record<string, string>> = {
  '|': 'a pipe',
  '&': 'a second command',
  '<': 'a redirection',
  '>': 'a redirection',
};

/**
 * The words of a command line of Windows: cmd.exe takes away `^`, then the program splits the rest by the rules of the C runtime
 * ("Parsing C command-line arguments"). Variables are not expanded.
 * @returns the words, or for people what stands there that only cmd.exe can do
 */
export function cmdWords(line: string): readonly string[] | { readonly problem: string } {
  const unescaped = withoutCarets(line.trim());
  return typeof unescaped === 'string' ? argumentsOf(unescaped) : unescaped;
}

function withoutCarets(line: string): string | { readonly problem: string } {
  let text = '';
  let inQuotes = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    if (char === '"') inQuotes = !inQuotes;
    if (char !== '^' || inQuotes) {
      if (!inQuotes && CMD_ONLY[char] !== undefined) return { problem: `${CMD_ONLY[char]} (\`${char}\`)` };
      text += char;
      continue;
    }
    // A line break after `^` is left out; what follows it is a plain character, also another line break.
    const lineBreak = /^\r?\n/.exec(line.slice(at + 1, at + 3))?.[0] ?? '';
    at += lineBreak.length;
    const next = /^\r\n/.test(line.slice(at + 1, at + 3)) ? '\r\n' : (line[at + 1] ?? '');
    text += next;
    at += next.length;
  }
  return text;
}

/** A quote after an odd number of backslashes is one of the word; two of them in quotes, too. */
function argumentsOf(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let inQuotes = false;
  for (let at = 0; at < line.length; ) {
    const [, slashes = '', quote = ''] = /^(\\*)("?)/.exec(line.slice(at))!;
    if (slashes !== '' || quote !== '') {
      at += slashes.length + quote.length;
      word ??= '';
      word += quote === '' ? slashes : '\\'.repeat(slashes.length >> 1);
      if (quote === '') continue;
      if (slashes.length % 2 === 1) word += '"';
      else if (inQuotes && line[at] === '"') {
        word += '"';
        at++;
      } else inQuotes = !inQuotes;
      continue;
    }
    const char = line[at++]!;
    if (inQuotes || !/\s/.test(char)) word = (word ?? '') + char;
    else {
      if (word !== null) words.push(word);
      word = null;
    }
  }
  if (word !== null) words.push(word);
  return words;
}
