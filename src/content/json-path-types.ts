/** A node of the parser's tree, as far as it is looked at. */
interface Syntax {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The functions of RFC 9535 §2.4: what they take and what they give. */
const FUNCTIONS: Readonly<
  Record<string, { readonly takes: readonly ('value' | 'nodes')[]; readonly gives: 'value' | 'logical' }>
> = {
  length: { takes: ['value'], gives: 'value' },
  count: { takes: ['nodes'], gives: 'value' },
  match: { takes: ['value', 'value'], gives: 'logical' },
  search: { takes: ['value', 'value'], gives: 'logical' },
  value: { takes: ['nodes'], gives: 'value' },
};

/** Filters within filters multiply the time they take. */
const DEEPEST = 3;

/**
 * What a query that parses breaks of the rules behind the grammar: whole numbers within ±(2⁵³ − 1) (RFC 9535 §2.1),
 * well-typed functions (§2.4.3). Null: nothing.
 */
export function typeProblem(query: unknown): string | null {
  return check(query, 0);
}

function check(node: unknown, filters: number): string | null {
  if (Array.isArray(node)) return first(node, filters);
  if (node === null || typeof node !== 'object') return null;
  const syntax = node as Syntax;
  switch (syntax.type) {
    case 'FilterSelector':
      if (filters === DEEPEST) return `at most ${DEEPEST} filters may be nested`;
      return check(syntax.value, filters + 1);
    case 'IndexSelector':
      return wholeNumbers([syntax.value]);
    case 'SliceSelector':
      return wholeNumbers([syntax.start, syntax.end, syntax.step]);
    case 'TestExpr':
      return resultProblem(syntax.expression, 'logical') ?? first(Object.values(syntax), filters);
    case 'ComparisonExpr':
      return (
        resultProblem(syntax.left, 'value') ??
        resultProblem(syntax.right, 'value') ??
        first([syntax.left, syntax.right], filters)
      );
    case 'FunctionExpr':
      return callProblem(syntax) ?? first(syntax.arguments as unknown[], filters);
    default:
      return first(Object.values(syntax), filters);
  }
}

function first(nodes: readonly unknown[], filters: number): string | null {
  for (const node of nodes) {
    const problem = check(node, filters);
    if (problem !== null) return problem;
  }
  return null;
}

function wholeNumbers(values: readonly unknown[]): string | null {
  const wrong = values.some((value) => typeof value === 'number' && !Number.isSafeInteger(value));
  return wrong ? 'an index is outside of ±(2^53 − 1)' : null;
}

function resultProblem(node: unknown, wanted: 'value' | 'logical'): string | null {
  const call = node as Syntax;
  if (call.type !== 'FunctionExpr') return null;
  const known = functionOf(call);
  if (known === undefined || known.gives === wanted) return null;
  return wanted === 'value'
    ? `the result of ${call.name}() cannot be compared`
    : `the result of ${call.name}() must be compared with something`;
}

function callProblem(call: Syntax): string | null {
  const known = functionOf(call);
  if (known === undefined) return `there is no function ${call.name}()`;
  const given = call.arguments as readonly Syntax[];
  if (given.length !== known.takes.length) {
    return `${call.name}() takes ${known.takes.length} argument(s), not ${given.length}`;
  }
  for (const [n, wanted] of known.takes.entries()) {
    const ok = wanted === 'nodes' ? given[n]!.type === 'FilterQuery' : givesValue(given[n]!);
    if (!ok)
      return `argument ${n + 1} of ${call.name}() must be a ${wanted === 'nodes' ? 'query' : 'single value'}`;
  }
  return null;
}

function functionOf(call: Syntax) {
  const name = String(call.name);
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
}

function givesValue(node: Syntax): boolean {
  if (node.type === 'Literal') return true;
  if (node.type === 'FunctionExpr') return functionOf(node)?.gives === 'value';
  return node.type === 'FilterQuery' && isSingular((node.value as Syntax).segments as readonly Syntax[]);
}

/** A query that gives at most one node (RFC 9535 §2.3.5.1). */
function isSingular(segments: readonly Syntax[]): boolean {
  return segments.every((segment) => {
    if (segment.type !== 'ChildSegment') return false;
    const node = segment.node as Syntax;
    if (node.type === 'MemberNameShorthand') return true;
    const selectors = node.selectors as readonly Syntax[] | undefined;
    const only = selectors?.length === 1 ? selectors[0]!.type : '';
    return only === 'NameSelector' || only === 'IndexSelector';
  });
}
