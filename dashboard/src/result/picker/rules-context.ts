import { createContext, type ReactNode } from 'react';
import type { ExtractRules } from './extract-rules.ts';
import type { Picker } from './use-picker.ts';

/** Where the picker writes its rules. */
export interface RulesTarget {
  readonly rules: ExtractRules;
  setRules(rules: ExtractRules): void;
  /** They cannot be changed now. */
  readonly disabled: boolean;
  /** Says where the rules are. */
  readonly note: ReactNode;
  readonly picker: Picker;
  /** Shows the rows of the rules elsewhere on the page; absent: the picker shows them itself. */
  readonly showRows?: () => void;
}

export const RulesContext = createContext<RulesTarget | null>(null);
