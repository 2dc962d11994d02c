import { useState } from 'react';
import type { ExtractRules } from './extract-rules.ts';

/** A change of the rules by a click on the page. */
interface PickStep {
  readonly before: ExtractRules;
  readonly after: ExtractRules;
  /** What was done, as a sentence. */
  readonly text: string;
}

/** What the picker and the rows of the rules know of each other. */
export interface Picker {
  /** The page that is shown; null: none is. */
  readonly page: Document | null;
  setPage(page: Document | null): void;
  /** The field whose elements are marked; null: none. */
  readonly current: string | null;
  select(name: string | null): void;
  /** The last click, unless the rules have been changed since; null: there is nothing to undo. */
  lastStep(rules: ExtractRules): PickStep | null;
  addStep(step: PickStep): void;
  /** Forgets the last step, and the field. */
  removeStep(): void;
}

export function usePicker(): Picker {
  const [page, setPage] = useState<Document | null>(null);
  const [current, select] = useState<string | null>(null);
  const [steps, setSteps] = useState<readonly PickStep[]>([]);
  return {
    page,
    setPage,
    current,
    select,
    lastStep: (rules) => {
      const last = steps.at(-1);
      return last !== undefined && JSON.stringify(last.after) === JSON.stringify(rules) ? last : null;
    },
    addStep: (step) => setSteps([...steps, step]),
    removeStep: () => {
      setSteps(steps.slice(0, -1));
      select(null);
    },
  };
}
