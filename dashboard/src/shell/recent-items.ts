import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** A page about one thing, such as a job, that was open in this tab. */
export interface RecentItem {
  readonly title: string;
  readonly path: string;
  /** Of the page of a site. */
  readonly host?: string;
}

interface Stored {
  /** Whose items they are: somebody else may sign in in the same tab. */
  readonly user: string;
  readonly items: readonly RecentItem[];
}

const STORAGE_KEY = 'sluice-recent';
const MAX_ITEMS = 6;
const ITEM_PATH = /^\/(?:history|jobs|monitors|schedules|datasets|users)\/(?!new\b)[^/]+$/;

/** The latest first. */
export function recentItems(userId: string): readonly RecentItem[] {
  const text = sessionStorage.getItem(STORAGE_KEY);
  if (text === null) return [];
  const { user, items } = JSON.parse(text) as Stored;
  return user === userId ? items : [];
}

/** Remembers the pages about one thing when they are left, because they have their titles then. */
export function useRecentItems(userId: string): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation: left, toLocation }) => {
        if (left === undefined || left.href === toLocation.href) return;
        const { pathname: path, search } = left;
        const { host } = search as { readonly host?: string };
        const isSite = path === '/sites' && host !== undefined;
        if (!isSite && !ITEM_PATH.test(path)) return;
        const title = document.title.replace(/ · Sluice$/, '');
        const item: RecentItem = { title, path, ...(isSite && { host }) };
        const others = recentItems(userId).filter((old) => old.path !== path || old.host !== item.host);
        const stored: Stored = { user: userId, items: [item, ...others].slice(0, MAX_ITEMS) };
        sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stored));
      }),
    [router, userId],
  );
}
