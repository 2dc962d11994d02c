/** Letters that stand for themselves; in a pattern, after a backslash or without one. */
const LITERAL = /^[\x20-\x7e\xa1-\ud7ff]$/;
const ESCAPED_LITERAL = /^[^\w\s]$/;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;

/**
 * Literals of which a text holds at least one, in capitals or not, wherever `pattern` fits it: [] when none can be told.
 * Of each alternative the longest part that cannot be left out. So what holds none need not be looked at with the
 * pattern. Groups that look ahead or behind count as unknown.
 */
export function neededLiterals({ source, flags }: RegExp): readonly string[] {
  // Other escapes than these are written with letters that would be taken for literals.
  const odd = /\\(?![bBdDsSwW]|[^\w\s])/.test(source) || /[uvx]/.test(flags);
  return odd ? [] : (alternatives({ source, at: 0 }) ?? []);
}

interface Reader {
  readonly source: string;
  at: number;
}

type Literals = readonly string[];

const shortest = (literals: Literals): number => Math.min(...literals.map(({ length }) => length));

/** Up to the end of the group or of the pattern; null: one of them tells nothing. */
function alternatives(reader: Reader): Literals | null {
  const all: (Literals | null)[] = [];
  do all.push(sequence(reader));
  while (reader.source[reader.at++] === '|');
  reader.at--;
  return all.includes(null) ? null : all.flatMap((one) => one!);
}

/** What has to stand in one alternative. */
function sequence(reader: Reader): Literals | null {
  const parts: Literals[] = [];
  let run = '';
  const ends = () => {
    if (run !== '') parts.push([run]);
    run = '';
  };
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at]!)) {
    const one = atom(reader);
    const optional = quantified(reader);
    if (one === '') continue;
    if (typeof one === 'string' && !optional) run += one.toLowerCase();
    else {
      ends();
      if (typeof one !== 'string' && one !== null && !optional) parts.push(one);
    }
  }
  ends();
  return parts.length === 0
    ? null
    : parts.reduce((best, one) => (shortest(one) > shortest(best) ? one : best));
}

/** A letter; '' for what takes no place; the literals of a group; null for anything else. */
function atom(reader: Reader): string | Literals | null {
  const { source } = reader;
  const first = source[reader.at++]!;
  if (first === '^' || first === '$') return '';
  if (first === '[') return skipClass(reader);
  if (first === '(') return group(reader);
  if (first !== '\\') return first !== '.' && LITERAL.test(first) ? first : null;
  const escaped = source[reader.at++]!;
  if (escaped === 'b') return '';
  return ESCAPED_LITERAL.test(escaped) && LITERAL.test(escaped) ? escaped : null;
}

function skipClass(reader: Reader): null {
  for (; reader.source[reader.at] !== ']'; reader.at++) if (reader.source[reader.at] === '\\') reader.at++;
  reader.at++;
  return null;
}

function group(reader: Reader): Literals | null {
  const { source } = reader;
  const known = source.startsWith('?:', reader.at);
  const told = known || source[reader.at] !== '?';
  if (known) reader.at += 2;
  else if (!told) reader.at += 2 + Number(source[reader.at + 1] === '<');
  const inside = alternatives(reader);
  reader.at++;
  return told ? inside : null;
}

/** Passes over a quantifier; whether there is one. */
function quantified(reader: Reader): boolean {
  QUANTIFIER.lastIndex = reader.at;
  if (!QUANTIFIER.test(reader.source)) return false;
  reader.at = QUANTIFIER.lastIndex;
  return true;
}
