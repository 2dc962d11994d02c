/** A syntax error in JSON with its position, because the errors of browsers differ and may have no position. */
export interface JsonFault {
  readonly message: string;
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

export interface JsonScan {
  readonly fault: JsonFault | null;
  /** Line (from 1) on which the value of each pointer begins. */
  readonly lines: ReadonlyMap<string, number>;
}

class JsonScanError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const MAX_DEPTH = 1000;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const BLANK = /[\t\n\r ]*/y;
const WORD = /[^\s,:{}[\]"']+/y;

/** Scans strict JSON (RFC 8259) without building values. */
export function scanJson(text: string): JsonScan {
  const offsets = new Map<string, number>();
  try {
    new Scanner(text, offsets).all();
    return { fault: null, lines: linesOf(text, offsets) };
  } catch (error) {
    if (!(error instanceof JsonScanError)) throw error;
    const before = text.slice(0, error.offset);
    const lastBreak = before.lastIndexOf('\n');
    const fault = {
      message: error.message,
      offset: error.offset,
      line: before.split('\n').length,
      column: error.offset - lastBreak,
    };
    return { fault, lines: linesOf(text, offsets) };
  }
}

class Scanner {
  private at = 0;
  private readonly text: string;
  private readonly offsets: Map<string, number>;

  constructor(text: string, offsets: Map<string, number>) {
    this.text = text;
    this.offsets = offsets;
  }

  all(): void {
    this.blank();
    if (this.at === this.text.length) this.stop('A request is expected here, such as {"url": "https://…"}');
    this.value('', 0);
    this.blank();
    if (this.at < this.text.length) this.stop('Nothing may follow the end of the request');
  }

  private value(pointer: string, depth: number): void {
    this.offsets.set(pointer, this.at);
    const next = this.text[this.at];
    if (depth > MAX_DEPTH) this.stop(`Nested deeper than ${MAX_DEPTH} levels`);
    if (next === '{') this.object(pointer, depth);
    else if (next === '[') this.array(pointer, depth);
    else if (next === '"') this.string();
    else if (next === "'") this.stop('Text needs double quotes (")');
    else if (next === undefined) this.stop('Unexpected end: a value is missing');
    else if (next === ',' || next === '}' || next === ']') this.stop('A value is missing here');
    else if (!this.take(NUMBER)) this.word();
  }

  private object(pointer: string, depth: number): void {
    this.at++;
    this.blank();
    if (this.text[this.at] === '}') {
      this.at++;
      return;
    }
    for (;;) {
      this.blank();
      if (this.text[this.at] === '}') this.stop('No comma may stand before the closing }');
      if (this.text[this.at] === undefined) this.stop('Unexpected end: } is missing');
      if (this.text[this.at] !== '"') this.stop('A name in double quotes is expected here');
      const name = this.string();
      this.blank();
      if (this.text[this.at] !== ':') this.stop('A colon is missing after the name');
      this.at++;
      this.blank();
      this.value(`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
      if (this.closes('}')) return;
    }
  }

  private array(pointer: string, depth: number): void {
    this.at++;
    this.blank();
    if (this.text[this.at] === ']') {
      this.at++;
      return;
    }
    for (let index = 0; ; index++) {
      this.blank();
      if (this.text[this.at] === ']') this.stop('No comma may stand before the closing ]');
      this.value(`${pointer}/${index}`, depth + 1);
      if (this.closes(']')) return;
    }
  }

  private closes(bracket: string): boolean {
    this.blank();
    const next = this.text[this.at];
    if (next === undefined) this.stop(`Unexpected end: ${bracket} is missing`);
    if (next !== ',' && next !== bracket) this.stop(`A comma or ${bracket} is missing here`);
    this.at++;
    return next === bracket;
  }

  private string(): string {
    const start = this.at;
    if (this.take(STRING)) return JSON.parse(this.text.slice(start, this.at)) as string;
    for (let at = start + 1; ; at++) {
      const next = this.text[at];
      if (next === undefined || next === '\n' || next === '\r') this.stop('The text has no closing "', start);
      if (next < ' ') this.stop('Control characters in a text are written as \\t, \\n or \\u00…', at);
      if (next !== '\\') continue;
      if (!/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(this.text.slice(at, at + 6))) {
        this.stop('A backslash is written as \\\\', at);
      }
      at++;
    }
  }

  private word(): void {
    const start = this.at;
    const word = this.take(WORD) ? this.text.slice(start, this.at) : this.text[start]!;
    if (word === 'true' || word === 'false' || word === 'null') return;
    this.stop(`${word.slice(0, 20)} is not valid JSON: text needs double quotes`, start);
  }

  private take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  private blank(): void {
    this.take(BLANK);
  }

  private stop(message: string, offset = this.at): never {
    throw new JsonScanError(`${message}.`, offset);
  }
}

/** Needs only one pass, because the offsets are in the order of the text. */
function linesOf(text: string, offsets: ReadonlyMap<string, number>): Map<string, number> {
  const lines = new Map<string, number>();
  let line = 1;
  let read = 0;
  for (const [pointer, offset] of offsets) {
    // A repeated name occurs twice. The last value counts, but the map has it at the position of the first.
    if (offset < read) {
      lines.set(pointer, text.slice(0, offset).split('\n').length);
      continue;
    }
    for (; read < offset; read++) if (text.charCodeAt(read) === 10) line++;
    lines.set(pointer, line);
  }
  return lines;
}
