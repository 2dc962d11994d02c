export const VERDICT_KINDS = [
  'ok',
  'js_shell',
  'challenge',
  'captcha',
  'block',
  'wall',
  'rate',
  'error_page',
  'net',
  'empty',
] as const;
export type VerdictKind = (typeof VERDICT_KINDS)[number];

export interface Verdict {
  readonly kind: VerdictKind;
  /** 0 to 1. */
  readonly confidence: number;
  /** What it was judged by. */
  readonly signals: readonly string[];
}

/** Best first: of pages that are not what was asked for, the first of these is delivered (contract §8 a). */
export const VERDICT_RANK: readonly VerdictKind[] = [
  'ok',
  'error_page',
  'js_shell',
  'empty',
  'wall',
  'rate',
  'captcha',
  'challenge',
  'block',
  'net',
];

/** Verdicts that mean: this is not the page, somebody stands before it. */
export function isBlocked(kind: VerdictKind): boolean {
  return kind === 'challenge' || kind === 'captcha' || kind === 'block' || kind === 'wall';
}
