import { type Problems, wrong } from './problems.ts';

/** Far beyond any real data, and far from where writing it as JSON would exhaust the stack. */
const DEEPEST = 1000;

/** Refuses free-form values that are nested without end. */
export function checkDepth(value: unknown, at: string, problems: Problems): boolean {
  if (!isDeeper(value, DEEPEST)) return true;
  wrong(problems, at, `is nested deeper than ${DEEPEST} levels`);
  return false;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeper(inner, levels - 1)) return true;
  return false;
}
