import { t } from '@lingui/core/macro';
import type { AuditAction, AuditEntry } from '../../api/audit.ts';

/** What happened, in the order of the filter. */
export const ACTION_TEXTS: Readonly<Record<AuditAction, string>> = {
  'session.created': t`Signed in`,
  'session.refused': t`Sign-in failed`,
  'session.ended': t`Session ended`,
  'password.changed': t`Password changed`,
  'second_factor.enabled': t`Second factor turned on`,
  'second_factor.disabled': t`Second factor turned off`,
  'second_factor.reset': t`Second factor reset`,
  'recovery_code.used': t`Recovery code used`,
  'link.created': t`Set-up link created`,
  'link.used': t`Set-up link used`,
  'user.created': t`User added`,
  'user.updated': t`User changed`,
  'key.created': t`API key created`,
  'key.updated': t`API key changed`,
  'key.revoked': t`API key revoked`,
  'key.rotated': t`API key rotated`,
  'invitation.created': t`User invited`,
  'invitation.resent': t`Invitation sent again`,
  'invitation.revoked': t`Invitation revoked`,
  'identity.linked': t`Single sign-on linked`,
  'identity.removed': t`Single sign-on unlinked`,
  'alert.created': t`Alert created`,
  'alert.updated': t`Alert changed`,
  'alert.deleted': t`Alert deleted`,
  'alert.silenced': t`Alert silenced`,
  'pool.created': t`Proxy pool created`,
  'pool.updated': t`Proxy pool changed`,
  'pool.deleted': t`Proxy pool deleted`,
  'proxies.updated': t`Proxy settings changed`,
  'vendor.created': t`Vendor created`,
  'vendor.updated': t`Vendor changed`,
  'vendor.deleted': t`Vendor deleted`,
  'site.pinned': t`Method pinned`,
  'site.unpinned': t`Pin removed`,
  'site.forgotten': t`Site forgotten`,
  'webhook_secret.rotated': t`Webhook secret rotated`,
  'default_webhook.changed': t`Default webhook changed`,
  'default_webhook.deleted': t`Default webhook deleted`,
};

/** Who acted. */
export function actorText({ actor }: AuditEntry): string {
  if (actor.email !== null) return actor.email;
  if (actor.user_id !== null) return actor.user_id;
  return actor.via === 'command_line' ? t`Command line` : t`Unknown user`;
}

/** How the actor acted; null: the command line, which `actorText` names already, or sign-in. */
export function wayText({ actor }: AuditEntry): string | null {
  if (actor.via === 'key') return t`with the key ${actor.key_id ?? ''}`;
  return actor.via === 'session' ? t`in the dashboard` : null;
}

/** What was changed, and how. */
export function subjectText({ target, email, details }: AuditEntry): string {
  const { changed, role } = details as { readonly changed?: readonly string[]; readonly role?: string };
  const subject =
    target === null ? '' : target.type === 'user' ? (email ?? target.id) : `${target.type} ${target.id}`;
  const fields = changed === undefined || changed.length === 0 ? '' : changed.join(', ');
  const parts = [subject, fields, role === undefined ? '' : t`role: ${role}`];
  return parts.filter((part) => part !== '').join(' · ');
}
