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
 * What an attempt lacked: scripts (`js`), the fingerprint of a real browser, a welcome IP address, or a low request rate.
 * `wall`: none of these would help; a visitor would have to sign in, consent, or live elsewhere (see `Wall`).
 */
export const MISSING_CAPABILITIES = ['js', 'fingerprint', 'ip', 'rate', 'wall'] as const;
export type MissingCapability = (typeof MISSING_CAPABILITIES)[number];

export const WALLS = ['login', 'geo', 'consent'] as const;
export type Wall = (typeof WALLS)[number];

export interface Verdict {
  readonly kind: VerdictKind;
  /** 0 to 1. */
  readonly confidence: number;
  /** Ids of the rules and observations that led to the verdict. */
  readonly signals: readonly string[];
  /** What the attempt lacked to get the page; null: nothing, or it is unknown. */
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
