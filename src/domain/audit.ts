/** What the audit log knows. Actions of accounts are written by src/account, the others by the endpoints that name them. */
export const AUDIT_ACTIONS = [
  'user.created',
  'user.updated',
  'key.created',
  'key.updated',
  'key.revoked',
  'key.rotated',
  'session.created',
  'session.refused',
  'session.ended',
  'password.changed',
  'second_factor.enabled',
  'second_factor.disabled',
  'second_factor.reset',
  'recovery_code.used',
  'link.created',
  'link.used',
  'invitation.created',
  'invitation.resent',
  'invitation.revoked',
  'identity.linked',
  'identity.removed',
  'alert.created',
  'alert.updated',
  'alert.deleted',
  'alert.silenced',
  'channel.created',
  'channel.updated',
  'channel.deleted',
  'pool.created',
  'pool.updated',
  'pool.deleted',
  'proxies.updated',
  'vendor.created',
  'vendor.updated',
  'vendor.deleted',
  'prices.changed',
  'prices.deleted',
  'site.forgotten',
  'site.pinned',
  'site.unpinned',
  'site.limited',
  'profile.created',
  'profile.updated',
  'profile.exported',
  'profile.used',
  'profile.shared',
  'profile.ended',
  'webhook_secret.rotated',
  'default_webhook.changed',
  'default_webhook.deleted',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_TARGETS = [
  'user',
  'key',
  'session',
  'site',
  'pool',
  'vendor',
  'alert',
  'channel',
  'profile',
] as const;
type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** How somebody acts. `sign_in`: by a password or a link, before there is a session; `command_line`: also settings at the start. */
export const AUDIT_WAYS = ['session', 'key', 'command_line', 'sign_in'] as const;
type AuditWay = (typeof AUDIT_WAYS)[number];

export interface AuditActor {
  /** null: the operator, or somebody who tried to sign in as an unknown user. */
  readonly userId: string | null;
  readonly keyId: string | null;
  readonly via: AuditWay;
}

/** An event of the audit log. It never contains secrets, nor what a person typed. */
export interface AuditEvent {
  /** UUID version 7. */
  readonly id: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly action: AuditAction;
  readonly actor: AuditActor;
  /** The user whose account it concerns; null: none, or unknown. */
  readonly userId: string | null;
  readonly target: { readonly type: AuditTarget; readonly id: string } | null;
  /** IP address of the caller; null: the command line. */
  readonly address: string | null;
  /**
   * `changed`: names of the fields that were set, as the API has them. `name`: of an alert, and `email`: of a user, because both
   * may be deleted later. `role`: of a user. `scraper` and `proxy_type`: of a pin.
   */
  readonly details: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

export interface AuditFilter {
  readonly action: AuditAction | null;
  /** Who acted, or whose account was concerned; null: everybody. */
  readonly userId: string | null;
  /** `target.id`; null: all. */
  readonly targetId: string | null;
  /** ms since the epoch, inclusive; null: no limit. */
  readonly from: number | null;
  /** ms since the epoch, exclusive; null: no limit. */
  readonly to: number | null;
}
