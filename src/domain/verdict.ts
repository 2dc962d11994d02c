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

/**
 * What a way of fetching lacked: it ran no scripts, was seen not to be the browser it said it was, came from an address
 * that is not welcome, asked too often; `wall`: nothing of this helps, one would have to sign in, consent or live
 * elsewhere.
 */
export const MISSING_CAPABILITIES = ['js', 'fingerprint', 'ip', 'rate', 'wall'] as const;
export type MissingCapability = (typeof MISSING_CAPABILITIES)[number];

export const WALLS = ['login', 'geo', 'consent'] as const;
export type Wall = (typeof WALLS)[number];

export interface Verdict {
  readonly kind: VerdictKind;
  /** 0 to 1. */
  readonly confidence: number;
  /** What it was judged by. */
  readonly signals: readonly string[];
  /** What was missing to get the page; null: nothing, or the page does not tell. */
  readonly failed: MissingCapability | null;
  /** What stands before the page; only of kind `wall`. */
  readonly wall: Wall | null;
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
