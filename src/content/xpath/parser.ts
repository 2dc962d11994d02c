import { FUNCTIONS } from './functions.ts';
import type { QualifiedName, XPathNode } from './node-index.ts';
import {
  AXES,
  applyStep,
  evaluateNodes,
  filterNodes,
  NODE_TYPES,
  type NodeTest,
  nameTest,
  type XPathStep,
} from './steps.ts';
import { type ComparisonOperator, compare, toBoolean, toNumber, type XPathExpression } from './values.ts';

/** The expression is not XPath 1.0; the message is for the caller. */
export class XPathSyntaxError extends Error {}

type TokenKind = 'number' | 'literal' | 'name' | 'operator' | 'mark' | 'end';
interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const NAME = String.raw`[\p{L}_][\p{L}\p{N}\p{M}._-]*`;
const TOKEN = new RegExp(
  String.raw`\s*(?:(?<number>\d+(?:\.\d*)?|\.\d+)|(?<literal>"[^"]*"|'[^']*')|(?<name>${NAME}(?::(?:${NAME}|\*))?)|(?<mark>::|\.\.|\/\/|!=|<=|>=|[()[\]@,./|+\-=<>*$]))`,
  'uy',
);
/** A name or `*` after one of these, or at the start, is not an operator (XPath 1.0 §3.7). */
const BEFORE_OPERAND = new Set([
  '@',
  '::',
  '(',
  '[',
  ',',
  '/',
  '//',
  '|',
  '+',
  '-',
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
]);
const OPERATOR_NAMES = new Set(['and', 'or', 'mod', 'div']);
const MAX_DEPTH = 20;

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  for (let at = 0; at < end; at = TOKEN.lastIndex) {
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) {
      const rest = text.slice(at).trimStart();
      const quote = rest[0] === '"' || rest[0] === "'";
      throw new XPathSyntaxError(quote ? `a ${rest[0]} is not closed` : `"${rest[0]}" cannot be read there`);
    }
    const { number, literal, name, mark } = groups;
    const previous = tokens.at(-1);
    const afterOperand =
      previous !== undefined &&
      previous.kind !== 'operator' &&
      !(previous.kind === 'mark' && BEFORE_OPERAND.has(previous.text));
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (literal !== undefined) tokens.push({ kind: 'literal', text: literal.slice(1, -1) });
    else if (name !== undefined)
      tokens.push({ kind: afterOperand && OPERATOR_NAMES.has(name) ? 'operator' : 'name', text: name });
    else tokens.push({ kind: mark === '*' && afterOperand ? 'operator' : 'mark', text: mark! });
  }
  tokens.push({ kind: 'end', text: '' });
  return tokens;
}

const constant = (value: string | number): XPathExpression => ({
  type: typeof value === 'string' ? 'string' : 'number',
  ...(typeof value === 'number' ? { constant: value } : {}),
  evaluate: () => value,
});

const arithmetic = (
  a: XPathExpression,
  b: XPathExpression,
  call: (a: number, b: number) => number,
): XPathExpression => ({
  type: 'number',
  evaluate: (context) => call(toNumber(a.evaluate(context)), toNumber(b.evaluate(context))),
});

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  div: (a, b) => a / b,
  mod: (a, b) => a % b,
};

/** `//` in a path. */
const ANY_DESCENDANT: XPathStep = {
  axis: AXES['descendant-or-self']!,
  test: NODE_TYPES.node!,
  predicates: [],
};

/** A recursive descent parser of XPath 1.0 (§3, and the productions of §2). A method for each level of precedence. */
class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  whole(): XPathExpression {
    const expression = this.#or();
    if (this.#peek().kind !== 'end') throw this.#unexpected();
    return expression;
  }

  #peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)]!;
  }

  #is(kind: TokenKind, texts?: readonly string[], ahead = 0): boolean {
    const token = this.#peek(ahead);
    return token.kind === kind && (texts === undefined || texts.includes(token.text));
  }

  /** Consumes a token if it is one of these. @returns its text */
  #take(kind: TokenKind, ...texts: readonly string[]): string | null {
    return this.#is(kind, texts.length === 0 ? undefined : texts) ? this.#tokens[this.#next++]!.text : null;
  }

  #expect(mark: string): void {
    if (this.#take('mark', mark) === null) throw this.#unexpected(`"${mark}" is missing`);
  }

  #unexpected(missing?: string): XPathSyntaxError {
    const { kind, text } = this.#peek();
    if (kind === 'end') return new XPathSyntaxError('the expression ends before it is complete');
    if (text === '$') return new XPathSyntaxError('there are no variables');
    return new XPathSyntaxError(
      missing === undefined ? `"${text}" is not expected there` : `${missing} before "${text}"`,
    );
  }

  #or(): XPathExpression {
    if (++this.#depth > MAX_DEPTH) throw new XPathSyntaxError(`it is nested deeper than ${MAX_DEPTH} levels`);
    let left = this.#and();
    while (this.#take('operator', 'or') !== null) {
      const [a, b] = [left, this.#and()];
      left = {
        type: 'boolean',
        evaluate: (context) => toBoolean(a.evaluate(context)) || toBoolean(b.evaluate(context)),
      };
    }
    this.#depth--;
    return left;
  }

  #and(): XPathExpression {
    let left = this.#comparison(['=', '!=']);
    while (this.#take('operator', 'and') !== null) {
      const [a, b] = [left, this.#comparison(['=', '!='])];
      left = {
        type: 'boolean',
        evaluate: (context) => toBoolean(a.evaluate(context)) && toBoolean(b.evaluate(context)),
      };
    }
    return left;
  }

  /** Equality, whose operands are relations, whose operands are sums. */
  #comparison(operators: readonly ComparisonOperator[]): XPathExpression {
    const operand = () => (operators[0] === '=' ? this.#comparison(['<', '<=', '>', '>=']) : this.#sum());
    let left = operand();
    for (;;) {
      const operator = this.#take('mark', ...operators) as ComparisonOperator | null;
      if (operator === null) return left;
      const [a, b] = [left, operand()];
      left = {
        type: 'boolean',
        evaluate: (context) => compare(operator, a.evaluate(context), b.evaluate(context)),
      };
    }
  }

  #sum(): XPathExpression {
    let left = this.#product();
    for (;;) {
      const operator = this.#take('mark', '+', '-');
      if (operator === null) return left;
      left = arithmetic(left, this.#product(), ARITHMETIC[operator]!);
    }
  }

  #product(): XPathExpression {
    let left = this.#negation();
    for (;;) {
      const operator = this.#take('operator', '*', 'div', 'mod');
      if (operator === null) return left;
      left = arithmetic(left, this.#negation(), ARITHMETIC[operator]!);
    }
  }

  #negation(): XPathExpression {
    let sign = 1;
    let signs = 0;
    for (; this.#take('mark', '-') !== null; signs++) sign = -sign;
    const operand = this.#union();
    return signs === 0 ? operand : arithmetic(operand, constant(sign), ARITHMETIC['*']!);
  }

  #union(): XPathExpression {
    const members = [this.#path()];
    while (this.#take('mark', '|') !== null) members.push(this.#path());
    if (members.length === 1) return members[0]!;
    for (const { type } of members)
      if (type !== 'nodes') throw new XPathSyntaxError('"|" is for sets of nodes');
    return {
      type: 'nodes',
      evaluate(context) {
        const nodes = new Set<XPathNode>(members.flatMap((member) => evaluateNodes(member, context)));
        return context.index.sort([...nodes]);
      },
    };
  }

  /** A location path, or a primary expression with predicates and the steps from its nodes. */
  #path(): XPathExpression {
    if (!this.#beginsPrimary()) return this.#locationPath();
    const primary = this.#primary();
    const filtered = this.#is('mark', ['[']) ? this.#filtered(primary) : primary;
    if (!this.#is('mark', ['/', '//'])) return filtered;
    requireNodes(filtered, '"/"');
    const steps = [...this.#separator(), ...this.#steps()];
    return {
      type: 'nodes',
      evaluate: (context) =>
        steps.reduce(
          (nodes, step) => applyStep(step, nodes, context.index),
          evaluateNodes(filtered, context),
        ),
    };
  }

  #filtered(primary: XPathExpression): XPathExpression {
    requireNodes(primary, '"["');
    const predicates = this.#predicates();
    return {
      type: 'nodes',
      evaluate: (context) =>
        predicates.reduce<readonly XPathNode[]>(
          (nodes, predicate) => filterNodes(nodes, predicate, context.index),
          evaluateNodes(primary, context),
        ),
    };
  }

  #beginsPrimary(): boolean {
    if (this.#is('number') || this.#is('literal') || this.#is('mark', ['('])) return true;
    return this.#is('name') && this.#is('mark', ['('], 1) && !Object.hasOwn(NODE_TYPES, this.#peek().text);
  }

  #primary(): XPathExpression {
    const number = this.#take('number');
    if (number !== null) return constant(Number(number));
    const literal = this.#take('literal');
    if (literal !== null) return constant(literal);
    const name = this.#take('name');
    if (name !== null) return this.#functionCall(name);
    this.#expect('(');
    const expression = this.#or();
    this.#expect(')');
    return expression;
  }

  #functionCall(name: string): XPathExpression {
    const called = FUNCTIONS.get(name);
    if (called === undefined) throw new XPathSyntaxError(`"${name}()" is not a function of XPath 1.0`);
    this.#expect('(');
    const args: XPathExpression[] = [];
    while (!this.#is('mark', [')'])) {
      if (args.length > 0) this.#expect(',');
      args.push(this.#or());
    }
    this.#expect(')');
    const [min, max] = called.arity;
    if (args.length < min || args.length > max)
      throw new XPathSyntaxError(`"${name}()" does not take ${args.length} arguments`);
    if (called.takesNodes) for (const arg of args) requireNodes(arg, `"${name}()"`);
    return {
      type: called.type,
      evaluate: (context) =>
        called.call(
          context,
          args.map((arg) => arg.evaluate(context)),
        ),
    };
  }

  #locationPath(): XPathExpression {
    const absolute = this.#is('mark', ['/', '//']);
    const first = absolute ? this.#separator() : [];
    // `/` alone is the document.
    const isRoot = absolute && first.length === 0 && !this.#beginsStep();
    const steps = isRoot ? [] : [...first, ...this.#steps()];
    return {
      type: 'nodes',
      evaluate: ({ node, index }) =>
        steps.reduce<readonly XPathNode[]>(
          (nodes, step) => applyStep(step, nodes, index),
          [absolute ? index.tree.root : node],
        ),
    };
  }

  /** Consumes `/` or `//`. @returns the step that it stands for */
  #separator(): readonly XPathStep[] {
    if (this.#take('mark', '//') !== null) return [ANY_DESCENDANT];
    this.#expect('/');
    return [];
  }

  #beginsStep(): boolean {
    return this.#is('name') || this.#is('mark', ['.', '..', '@', '*']);
  }

  #steps(): XPathStep[] {
    const steps = [this.#step()];
    while (this.#is('mark', ['/', '//'])) steps.push(...this.#separator(), this.#step());
    return steps;
  }

  #step(): XPathStep {
    const test = NODE_TYPES.node!;
    if (this.#take('mark', '.') !== null) return { axis: AXES.self!, test, predicates: [] };
    if (this.#take('mark', '..') !== null) return { axis: AXES.parent!, test, predicates: [] };
    if (!this.#beginsStep()) throw this.#unexpected();
    const axis = this.#axis();
    return { axis: AXES[axis]!, test: this.#nodeTest(axis), predicates: this.#predicates() };
  }

  #axis(): string {
    if (this.#take('mark', '@') !== null) return 'attribute';
    if (!this.#is('mark', ['::'], 1)) return 'child';
    const name = this.#take('name');
    if (name === null || !Object.hasOwn(AXES, name))
      throw new XPathSyntaxError(
        `"${name ?? this.#peek().text}" is not an axis${name === 'namespace' ? ' that is supported' : ''}`,
      );
    this.#expect('::');
    return name;
  }

  #nodeTest(axis: string): NodeTest {
    const onAttributes = axis === 'attribute';
    if (this.#take('mark', '*') !== null) return nameTest({ prefix: '', local: '*' }, onAttributes);
    const name = this.#take('name');
    if (name === null) throw this.#unexpected();
    if (!this.#is('mark', ['('])) return nameTest(qualified(name), onAttributes);
    if (!Object.hasOwn(NODE_TYPES, name)) throw new XPathSyntaxError(`"${name}()" cannot be a step`);
    this.#expect('(');
    if (name === 'processing-instruction') this.#take('literal');
    this.#expect(')');
    return NODE_TYPES[name]!;
  }

  #predicates(): XPathExpression[] {
    const predicates: XPathExpression[] = [];
    while (this.#take('mark', '[') !== null) {
      predicates.push(this.#or());
      this.#expect(']');
    }
    return predicates;
  }
}

function requireNodes({ type }: XPathExpression, what: string): void {
  if (type !== 'nodes') throw new XPathSyntaxError(`${what} needs a set of nodes, not a ${type}`);
}

function qualified(name: string): QualifiedName {
  const [prefix, local] = name.split(':') as [string, string?];
  return local === undefined ? { prefix: '', local: prefix } : { prefix, local };
}

/** Parses an expression of XPath 1.0, without variables and the axis of namespaces. Throws `XPathSyntaxError`. */
export function parseXPath(text: string): XPathExpression {
  return new Parser(text).whole();
}
