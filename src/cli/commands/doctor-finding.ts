/** What a check has found. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do about it; null: nothing. */
  readonly advice: string | null;
}

export const ok = (check: string, text: string): Finding => ({ check, state: 'ok', text, advice: null });
export const warn = (check: string, text: string, advice: string | null = null): Finding => ({
  check,
  state: 'warn',
  text,
  advice,
});
export const fail = (check: string, text: string, advice: string): Finding => ({
  check,
  state: 'fail',
  text,
  advice,
});
