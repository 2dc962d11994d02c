/** A user of the operating system, by numbers. */
export interface BrowserUser {
  readonly uid: number;
  readonly gid: number;
}

/** Belongs to no account, and not to the ranges that adduser and systemd give away; below 65,536 for containers. */
const UNPRIVILEGED = 64_137;

/**
 * Who browsers run as: null, the user of the service, unless that is root. Then it is a user that owns nothing else: what
 * breaks out of a browser must not find itself root.
 */
export function browserUser(): BrowserUser | null {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : null;
}
