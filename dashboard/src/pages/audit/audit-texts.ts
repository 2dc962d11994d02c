import type { AuditAction, AuditEntry } from '../../api/audit.ts';

/** What happened, in the order of the filter. */
export const ACTION_TEXTS: Readonly<Record<AuditAction, string>> = {
  'session.created': 'Signed in',
  'session.refused': 'Sign-in failed',
  'session.ended': 'Session ended',
  'password.changed': 'Password changed',
  'second_factor.enabled': 'Second factor turned on',
  'second_factor.disabled': 'Second factor turned off',
  'second_factor.reset': 'Second factor reset',
  'recovery_code.used': 'Recovery code used',
  'link.created': 'Set-up link created',
  'link.used': 'Set-up link used',
  'user.created': 'User added',
  'user.updated': 'User changed',
  'key.created': 'API key created',
  'key.updated': 'API key changed',
  'key.revoked': 'API key revoked',
  'key.rotated': 'API key rotated',
  'pool.created': 'Proxy pool created',
  'pool.updated': 'Proxy pool changed',
  'pool.deleted': 'Proxy pool deleted',
  'proxies.updated': 'Proxy settings changed',
  'vendor.created': 'Vendor created',
  'vendor.updated': 'Vendor changed',
  'vendor.deleted': 'Vendor deleted',
  'site.pinned': 'Method pinned',
  'site.unpinned': 'Pin removed',
  'site.forgotten': 'Site forgotten',
  'webhook_secret.rotated': 'Webhook secret rotated',
  'default_webhook.changed': 'Default webhook changed',
  'default_webhook.deleted': 'Default webhook deleted',
};

/** Who acted. */
export function actorText({ actor }: AuditEntry): string {
  if (actor.email !== null) return actor.email;
  if (actor.user_id !== null) return actor.user_id;
  return actor.via === 'command_line' ? 'Command line' : 'Unknown user';
}

/** How the actor acted; null: the command line, which `actorText` names already, or sign-in. */
export function wayText({ actor }: AuditEntry): string | null {
  if (actor.via === 'key') return `with the key ${actor.key_id}`;
  return actor.via === 'session' ? 'in the dashboard' : null;
}

/** What was changed, and how. */
export function subjectText({ target, email, details }: AuditEntry): string {
  const { changed, role } = details as { readonly changed?: readonly string[]; readonly role?: string };
  const subject =
    target === null ? '' : target.type === 'user' ? (email ?? target.id) : `${target.type} ${target.id}`;
  const fields = changed === undefined || changed.length === 0 ? '' : changed.join(', ');
  const parts = [subject, fields, role === undefined ? '' : `role: ${role}`];
  return parts.filter((part) => part !== '').join(' · ');
}
