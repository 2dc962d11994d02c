import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useUser } from '../api/session.ts';
import { navItems } from './nav-list.tsx';

/** The letters that follow `g`, by the path of the page. */
const LETTERS: Readonly<Record<string, string>> = {
  '/': 'o',
  '/history': 'h',
  '/playground': 'p',
  '/usage': 'u',
  '/jobs': 'j',
  '/monitors': 'm',
  '/schedules': 'c',
  '/datasets': 'd',
  '/alerts': 'a',
  '/webhooks': 'w',
  '/sites': 's',
  '/keys': 'k',
};

export interface PageShortcut {
  readonly letter: string;
  readonly label: string;
  readonly link: NavigateOptions;
}

/** The pages that `g` and a letter open for this user. */
export function usePageShortcuts(): readonly PageShortcut[] {
  const user = useUser();
  return navItems(user).flatMap(({ to, label }) => {
    const letter = LETTERS[String(to)];
    return letter === undefined ? [] : [{ letter, label, link: { to } as NavigateOptions }];
  });
}

/** The second key must follow within this time. */
const SEQUENCE_MS = 1_500;

/** Single keys, unless they are turned off: `g` and a letter opens a page, `/` the search, `?` the list of shortcuts. */
export function useShortcuts(onSearch: () => void, onHelp: () => void): void {
  const router = useRouter();
  const pages = usePageShortcuts();
  const enabled = useShortcutsEnabled();
  const open = useEffectEvent((letter: string) => {
    const page = pages.find((one) => one.letter === letter);
    if (page !== undefined) void router.navigate(page.link);
    return page !== undefined;
  });
  const search = useEffectEvent(onSearch);
  const help = useEffectEvent(onHelp);
  useEffect(() => {
    if (!enabled) return;
    let goPressedAt = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const follows = event.timeStamp - goPressedAt < SEQUENCE_MS;
      goPressedAt = Number.NEGATIVE_INFINITY;
      if (follows && open(event.key)) event.preventDefault();
      else if (event.key === 'g') goPressedAt = event.timeStamp;
      else if (event.key === '/' || event.key === '?') {
        event.preventDefault();
        if (event.key === '/') search();
        else help();
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [enabled]);
}

/** In fields, keys are text; in dialogs and menus, the page behind must not change. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest(
    'input, textarea, select, [contenteditable=true], [role=dialog], [role=menu], [role=listbox]',
  ) !== null;

const STORAGE_KEY = 'sluice-shortcuts';
const listeners = new Set<() => void>();

/** WCAG 2.1.4: shortcuts of single characters can be turned off, because speech input may press them by accident. */
export function setShortcutsEnabled(enabled: boolean): void {
  if (enabled) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, 'off');
  for (const listener of listeners) listener();
}

export const useShortcutsEnabled = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(STORAGE_KEY) !== 'off',
  );
