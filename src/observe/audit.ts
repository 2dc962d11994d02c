import type { Logging } from './logger.ts';

/** Changes of users, keys and limits. */
export interface AuditLine {
  readonly action: string;
  /** null: the operator at the command line, or at start. */
  readonly actorUserId: string | null;
  readonly actorKeyId: string | null;
  readonly userId: string | null;
  readonly keyId: string | null;
  readonly changed: readonly string[];
  readonly ip?: string;
}

/** A line at info for each change. */
export function auditLog({ logger }: Pick<Logging, 'logger'>): (line: AuditLine) => void {
  return ({ action, actorUserId, actorKeyId, userId, keyId, changed, ip }) =>
    logger.info(
      {
        action,
        actor_user_id: actorUserId,
        actor_key_id: actorKeyId,
        user_id: userId,
        key_id: keyId,
        changed,
        ...(ip === undefined ? {} : { ip }),
      },
      'audit',
    );
}
