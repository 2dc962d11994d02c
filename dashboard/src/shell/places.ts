import type { NavigateOptions } from '@tanstack/react-router';
import type { User } from '../api/client.ts';
import { hostText } from '../ui/host-text.ts';
import { type Icon, IconFile, IconGlobe, IconHistory, IconUser } from '../ui/icons.tsx';
import { navItems } from './nav-items.ts';

interface Place {
  readonly label: string;
  readonly icon: Icon;
  readonly link: NavigateOptions;
}

/** Where what was typed may lead; all pages while nothing is typed. */
export function placesFor(typed: string, user: User): readonly Place[] {
  const text = typed.trim();
  const words = text.toLowerCase();
  const pages: readonly Place[] = [
    ...navItems(user).map(({ to, label, icon }) => ({ label, icon, link: { to } as NavigateOptions })),
    { label: 'Account and sessions', icon: IconUser, link: { to: '/account' } },
  ];
  const named = pages.filter(({ label }) => label.toLowerCase().includes(words));
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(words))
    return [
      { label: `Record ${words}`, icon: IconFile, link: { to: '/history/$id', params: { id: words } } },
    ];
  const host = hostIn(text);
  if (host === null) return named;
  return [
    ...named,
    { label: `Scrapes of ${hostText(host)}`, icon: IconHistory, link: { to: '/history', search: { host } } },
    { label: `Site ${hostText(host)}`, icon: IconGlobe, link: { to: '/sites', search: { host } } },
  ];
}

/** The host of a URL or of something like one: with a dot, a port, or as `localhost`. */
function hostIn(text: string): string | null {
  if (!/[.:]|^localhost$/i.test(text)) return null;
  const host = URL.parse(text.includes('://') ? text : `http://${text}`)?.host ?? '';
  return host === '' ? null : host;
}
