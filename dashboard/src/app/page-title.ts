import { useEffect } from 'react';

/** Names the page in the tab of the browser while it is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Sluice`;
  }, [title]);
}
