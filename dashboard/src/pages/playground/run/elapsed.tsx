import { useEffect, useState } from 'react';

/** Seconds since, counting. Not read out by itself. */
export function Elapsed({ since }: { readonly since: number }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="tabular" aria-hidden="true">
      {Math.max(0, (now - since) / 1000).toFixed(1)} s
    </span>
  );
}
