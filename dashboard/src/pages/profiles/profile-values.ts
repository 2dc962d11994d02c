import { t } from '@lingui/core/macro';
import type { Profile } from '../../api/profiles.ts';

/** What the form holds. */
export interface ProfileValues {
  readonly name: string;
  /** A storage state as JSON, a list of cookies as JSON, or a cookies file of Netscape. Empty in a change: as before. */
  readonly log_in: string;
  /** Domains with commas. */
  readonly sites: string;
  readonly shared: boolean;
  /** Ids of those that tell that it is logged out. */
  readonly channels: string[];
}

export const valuesOf = (profile: Profile | null): ProfileValues => ({
  name: profile?.name ?? '',
  log_in: '',
  sites: profile?.sites.join(', ') ?? '',
  shared: profile?.shared ?? false,
  channels: [...(profile?.channels ?? [])],
});

const sitesOf = (text: string): string[] => text.split(/[\s,;]+/).filter((site) => site !== '');

/** The members of the API that a pasted log-in sets; null: it begins like JSON, and is none. */
export function logInOf(text: string): { storage_state?: object; cookies_txt?: string } | null {
  const trimmed = text.trim();
  if (trimmed === '') return {};
  if (!/^[[{]/.test(trimmed)) return { cookies_txt: text };
  try {
    const read: unknown = JSON.parse(trimmed);
    return { storage_state: Array.isArray(read) ? { cookies: read } : (read as object) };
  } catch {
    return null;
  }
}

/** The body of the request. What stays as it is, is left out. */
export function bodyOf({ name, log_in, sites, shared, channels }: ProfileValues, profile: Profile | null) {
  const domains = sitesOf(sites);
  const isSame = domains.join() === profile?.sites.join();
  return {
    ...(name === profile?.name ? {} : { name: name.trim() }),
    ...(domains.length === 0 || isSame ? {} : { sites: domains }),
    ...(shared === (profile?.shared ?? false) ? {} : { shared }),
    ...(channels.join() === (profile?.channels ?? []).join() ? {} : { channels }),
    ...logInOf(log_in),
  };
}

/** Why a form may not be sent: by field, as Mantine wants it. */
export const validations = (profile: Profile | null) => ({
  name: (name: string) =>
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name.trim())
      ? null
      : t`Use letters, digits, dots, hyphens and underscores, the first a letter or digit.`,
  log_in: (text: string) => {
    if (logInOf(text) === null) return t`This is not JSON.`;
    return text.trim() === '' && profile === null ? t`Paste cookies, or load a file.` : null;
  },
});
