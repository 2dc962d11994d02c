import { useState } from 'react';

const STORED_AS = 'sluice.test-url';

/** The URL of tests of proxies and vendors: the last one in this tab, until it is closed. */
export function useTestUrl(): readonly [url: string, setUrl: (url: string) => void] {
  const [url, setUrl] = useState(() => sessionStorage.getItem(STORED_AS) ?? '');
  return [
    url,
    (next) => {
      sessionStorage.setItem(STORED_AS, next);
      setUrl(next);
    },
  ];
}
