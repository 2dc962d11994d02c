/** A user of the operating system. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/** No account has this id: it is outside the ranges of adduser and systemd. Containers often have only ids below 65,536. */
const UNPRIVILEGED_ID = 64_137;

/**
 * The user for processes that read what strangers wrote, if the service runs as root: it owns nothing else, so code that breaks out of
 * them is not root. null: they run as the user of the service.
 */
export function unprivilegedUser(): OsUser | null {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : null;
}
