import { t } from '@lingui/core/macro';
import type { AuditAction, AuditEntry } from '../../api/audit.ts';
import { ROLE_LABELS } from '../../api/session.ts';

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
  'channel.created': t`Channel added`,
  'channel.updated': t`Channel changed`,
  'channel.deleted': t`Channel deleted`,
  'profile.created': t`Profile created`,
  'profile.updated': t`Profile changed`,
  'profile.used': t`Profile used`,
  'profile.exported': t`Values of a profile exported`,
  'profile.shared': t`Profile shared`,
  'profile.ended': t`Profile deleted`,
  'pool.created': t`Proxy pool created`,
  'pool.updated': t`Proxy pool changed`,
  'pool.deleted': t`Proxy pool deleted`,
  'proxies.updated': t`Proxy settings changed`,
  'vendor.created': t`Vendor created`,
  'vendor.updated': t`Vendor changed`,
  'vendor.deleted': t`Vendor deleted`,
  'prices.changed': t`Prices changed`,
  'prices.deleted': t`Prices removed`,
  'site.pinned': t`Method pinned`,
  'site.unpinned': t`Pin removed`,
  'site.limited': t`Limits of a site changed`,
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
  if (actor.via === 'key') return t`with the key ${actor.key_name ?? actor.key_id ?? ''}`;
  return actor.via === 'session' ? t`in the dashboard` : null;
}

/** What was changed: its name, and its user if somebody else did it; then the fields. */
export function subjectText(entry: AuditEntry): string {
  const { changed, role, ...method } = entry.details as {
    readonly changed?: readonly string[];
    readonly role?: AuditRole;
    /** Of a pin. */
    readonly scraper?: string;
    readonly proxy_type?: string;
  };
  const parts = [
    targetText(entry),
    ownerText(entry),
    ...(method.scraper === undefined
      ? [(changed ?? []).map(fieldText).join(', ')]
      : [method.scraper, method.proxy_type ?? '']),
    role === undefined ? '' : t`role: ${ROLE_LABELS[role]}`,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

type AuditRole = keyof typeof ROLE_LABELS;

/** The name of the target. Sessions have none: the user says whose it is. */
function targetText({ target, email }: AuditEntry): string {
  if (target === null) return '';
  if (target.type === 'session') return email ?? '';
  return target.name ?? target.id;
}

function ownerText({ target, email, actor }: AuditEntry): string {
  return target?.type === 'key' && email !== null && email !== actor.email ? email : '';
}

const FIELD_TEXTS: Readonly<Record<string, string>> = {
  allow_none: t`direct requests`,
  auto: t`automatic use`,
  base_url: t`base URL`,
  channels: t`channels`,
  clear_for_s: t`time until it is resolved`,
  concurrency: t`concurrent requests`,
  concurrency_per_proxy: t`concurrent requests per proxy`,
  conditions: t`conditions`,
  countries: t`countries`,
  daily_budget: t`daily budget`,
  daily_cap: t`daily cap`,
  disabled: t`access`,
  domains: t`target sites`,
  email: t`e-mail`,
  enabled: t`on or off`,
  events: t`events`,
  expires_at: t`expiry`,
  for_s: t`time until it fires`,
  format: t`format`,
  headers: t`headers`,
  include: t`included data`,
  ips: t`callers`,
  key: t`access key`,
  kind: t`kind`,
  limits: t`limits`,
  metadata: t`metadata`,
  name: t`name`,
  options: t`options`,
  password: t`password`,
  price: t`price`,
  price_per_gb: t`price per GB`,
  price_per_request: t`price per request`,
  proxies: t`proxies`,
  proxy_type: t`proxy type`,
  proxy_types: t`proxy types`,
  role: t`role`,
  scopes: t`permissions`,
  scraper: t`scraper`,
  template: t`template of the proxy URL`,
  type: t`type`,
  until: t`end of the silence`,
  url: t`URL`,
};

/** A field in words. */
const fieldText = (field: string): string => FIELD_TEXTS[field] ?? field.replaceAll('_', ' ');
