/**
 * `js_shell`: a page that shows nothing before its scripts run; `challenge`: a check that a browser passes by itself; `wall`:
 * see `Wall`; `rate`: too many requests; `error_page`: an error of the site itself; `net`: no page. Contract §4 has the rules.
 */
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
 * `wall`: none of these would help; a visitor would have to sign in, consent, say his age, or live elsewhere (see `Wall`).
 */
export const MISSING_CAPABILITIES = ['js', 'fingerprint', 'ip', 'rate', 'wall'] as const;
export type MissingCapability = (typeof MISSING_CAPABILITIES)[number];

export const WALLS = ['login', 'geo', 'consent', 'age', 'cookies'] as const;
export type Wall = (typeof WALLS)[number];

export interface Verdict {
  readonly kind: VerdictKind;
  /** 0 to 1. */
  readonly confidence: number;
  /** Ids of the rules and observations that led to the verdict. */
  readonly signals: readonly string[];
  /** What the attempt lacked to get the page; null: nothing, or it is unknown. */
  readonly missing: MissingCapability | null;
  /** Why the site withholds the page; null unless `kind` is `wall`. */
  readonly wall: Wall | null;
}

/** First parts of the ids of rules and observations that belong to no vendor. */
const NO_VENDORS: ReadonlySet<string> = new Set(['firewall', 'phrase', 'script', 'text', 'wall', 'words']);

/**
 * Who sent a challenge, captcha or block page: the name of a vendor (`cloudflare`), or `queue` for a waiting room.
 * @returns null: it is no such page, or it does not tell
 */
export function senderOf({ kind, signals }: Pick<Verdict, 'kind' | 'signals'>): string | null {
  if (kind !== 'challenge' && kind !== 'captcha' && kind !== 'block') return null;
  const [sender, rest] = signals[0]?.split('/') ?? [];
  return sender === undefined || rest === undefined || NO_VENDORS.has(sender) ? null : sender;
}

/** Best first. If no attempt got the wanted page, the page with the best verdict is delivered (contract §8 a). */
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

/** Whether the site answered with a block page, a check or a wall instead of the page. */
export function isBlocked(kind: VerdictKind): boolean {
  return kind === 'challenge' || kind === 'captcha' || kind === 'block' || kind === 'wall';
}
