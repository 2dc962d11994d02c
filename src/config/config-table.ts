import type { Variable } from './variable.ts';
import { VARIABLES } from './variables.ts';

export interface ConfigRow {
  readonly name: string;
  /** Markdown; `—` when there is none. */
  readonly fallback: string;
  /** Markdown. */
  readonly doc: string;
}

/** The rows of the configuration table in the documentation, which is generated from them. */
export function configTable(): readonly ConfigRow[] {
  return Object.values<Variable<unknown>>(VARIABLES).map((variable) => ({
    name: variable.secret === true && variable.noFile !== true ? `${variable.name}[_FILE]` : variable.name,
    fallback: fallbackOf(variable),
    doc: variable.doc,
  }));
}

function fallbackOf({ fallback, fallbackText }: Variable<unknown>): string {
  if (fallbackText !== undefined) return fallbackText;
  if (fallback === null || (Array.isArray(fallback) && fallback.length === 0)) return '—';
  return `\`${String(fallback)}\``;
}
