const DAY_MS = 86_400_000;
/** A session ends when it has not been used for so long, */
export const IDLE_MS = 14 * DAY_MS;
/** and in any case so long after its beginning. */
export const LONGEST_MS = 90 * DAY_MS;
/** How long a set-up link is good. */
export const LINK_MS = DAY_MS;
/** Of one user; with one more the oldest ends. They are all held in memory. */
export const MOST_SESSIONS = 50;

/** All in ms since the epoch. */
export function endOfSession(createdAt: number, lastSeenAt: number): number {
  return Math.min(lastSeenAt + IDLE_MS, createdAt + LONGEST_MS);
}
