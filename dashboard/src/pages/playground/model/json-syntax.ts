import { t } from '@lingui/core/macro';
import { type JSONPath, type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { pointerOf } from './json.ts';

// Braces in a text mark placeholders.
const CLOSING_BRACE = '}';
const EXAMPLE = '{"url": "https://…"}';

/** A syntax error. Not that of `JSON.parse`, whose texts differ between browsers and may have no position. */
export interface JsonFault {
  readonly message: string;
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

export interface JsonSyntax {
  /** The first error; null if the text is JSON by RFC 8259. */
  readonly fault: JsonFault | null;
  /** JSON pointers of the values before the error, with the line (from 1) on which each begins. */
  readonly lines: ReadonlyMap<string, number>;
}

/** The parser is recursive: a hundred thousand brackets would overflow the stack. */
const MAX_DEPTH = 1000;
const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };
/** A string up to its end, or up to the first character that JSON forbids in it. */
const STRING_START = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

/** Thrown by the visitor, because the parser itself continues after an error. */
class FirstFault extends Error {
  readonly fault: JsonFault;
  constructor(fault: JsonFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Checks JSON without building values. */
export function checkJson(text: string): JsonSyntax {
  const lines = new Map<string, number>();
  try {
    visit(text, visitorOf(text, lines), STRICT);
    return { fault: null, lines };
  } catch (error) {
    if (!(error instanceof FirstFault)) throw error;
    return { fault: error.fault, lines };
  }
}

interface OpenValue {
  readonly pointer: string;
  readonly closing: '}' | ']';
}

/** @param lines is filled while the text is read */
function visitorOf(text: string, lines: Map<string, number>): JSONVisitor {
  const open: OpenValue[] = [];
  const addValue = (line: number, path: JSONPath): string => {
    // Only the last step: the whole path of each value would take seconds in deeply nested texts.
    const pointer = (open.at(-1)?.pointer ?? '') + pointerOf(path.slice(-1));
    lines.set(pointer, line + 1);
    return pointer;
  };
  const begin =
    (closing: OpenValue['closing']): NonNullable<JSONVisitor['onArrayBegin']> =>
    (offset, _length, line, character, pathOf) => {
      if (open.length > MAX_DEPTH) {
        const message = t`Nested deeper than ${MAX_DEPTH} levels.`;
        throw new FirstFault({ message, offset, line: line + 1, column: character + 1 });
      }
      open.push({ pointer: addValue(line, pathOf()), closing });
    };
  const end = () => void open.pop();
  return {
    onObjectBegin: begin('}'),
    onObjectEnd: end,
    onArrayBegin: begin(']'),
    onArrayEnd: end,
    onLiteralValue: (_value, _offset, _length, line, _character, pathOf) => void addValue(line, pathOf()),
    onError: (code, offset, length, line, character) => {
      const error = printParseErrorCode(code);
      const inString = IN_STRING.has(error) ? lengthOfValidStart(text, offset) : 0;
      throw new FirstFault({
        message: `${messageOf(error, text, offset, length, open.at(-1)?.closing)}.`,
        offset: offset + inString,
        line: line + 1,
        column: character + inString + 1,
      });
    },
  };
}

/** Errors that the parser reports at the start of the string. */
const IN_STRING: ReadonlySet<string> = new Set([
  'InvalidUnicode',
  'InvalidEscapeCharacter',
  'InvalidCharacter',
]);

function lengthOfValidStart(text: string, offset: number): number {
  STRING_START.lastIndex = offset;
  return STRING_START.exec(text)?.[0].length ?? 0;
}

/**
 * @param error name of a `ParseErrorCode`, reported for `length` characters at `offset`
 * @param closing the bracket that closes the innermost open object or array
 */
function messageOf(
  error: string,
  text: string,
  offset: number,
  length: number,
  closing: OpenValue['closing'] | undefined,
): string {
  const atEnd = offset >= text.length;
  switch (error) {
    case 'ValueExpected':
      if (text.trim() === '') return t`A request is expected here, such as ${EXAMPLE}`;
      if (atEnd) return t`Unexpected end: a value is missing`;
      return isAfterComma(text, offset) && text[offset] === ']'
        ? t`Remove the comma before the closing ]`
        : t`A value is missing here`;
    case 'PropertyNameExpected':
      if (atEnd) return t`Unexpected end: ${CLOSING_BRACE} is missing`;
      return isAfterComma(text, offset) && text[offset] === '}'
        ? t`Remove the comma before the closing ${CLOSING_BRACE}`
        : t`A name in double quotes is expected here`;
    case 'ColonExpected':
      return t`A colon is missing after the name`;
    case 'CommaExpected':
      return t`A comma or ${closing ?? ''} is missing here`;
    case 'CloseBraceExpected':
      return t`Unexpected end: ${CLOSING_BRACE} is missing`;
    case 'CloseBracketExpected':
      return t`Unexpected end: ] is missing`;
    case 'EndOfFileExpected':
      return t`Nothing may follow the end of the request`;
    case 'UnexpectedEndOfString':
      return t`The text has no closing "`;
    case 'InvalidCharacter':
      return t`Control characters in a text are written as \\t, \\n or \\u00…`;
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode':
      return t`A backslash is written as \\\\`;
    case 'UnexpectedEndOfNumber':
      return t`A digit is missing at the end of this number`;
    case 'InvalidCommentToken':
      return t`JSON has no comments`;
    default:
      return symbolMessage(text.slice(offset, offset + length), text.slice(offset + length));
  }
}

const isAfterComma = (text: string, offset: number): boolean => text.slice(0, offset).trimEnd().endsWith(',');

/** @param symbol characters that begin no JSON value */
function symbolMessage(symbol: string, rest: string): string {
  if (/^\s*:/.test(rest)) return t`A name in double quotes is expected here`;
  if (symbol.startsWith("'")) return t`Text needs double quotes (")`;
  return t`${symbol.slice(0, 20)} is not valid JSON: text needs double quotes`;
}
