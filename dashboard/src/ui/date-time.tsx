import { useEffect, useState } from 'react';
import { formatLocal, formatLocalDay, formatRelative, formatUtc } from './format.ts';

interface DateTimeProps {
  /** RFC 3339; null is shown as `fallback`. */
  readonly at: string | null;
  /** `full` (default): day and time; `day`; `relative`: `3 minutes ago`, kept up to date. */
  readonly as?: 'full' | 'day' | 'relative';
  readonly fallback?: string;
}

/** A time in the local time zone. A tooltip shows UTC. */
export function DateTime({ at, as = 'full', fallback = '–' }: DateTimeProps) {
  useRegularUpdates(as === 'relative');
  if (at === null) return <span>{fallback}</span>;
  const text =
    as === 'relative' ? formatRelative(at, Date.now()) : as === 'day' ? formatLocalDay(at) : formatLocal(at);
  const title = as === 'full' ? formatUtc(at) : `${formatLocal(at)} (${formatUtc(at)})`;
  return (
    <time dateTime={at} title={title}>
      {text}
    </time>
  );
}

/** Renders the component again every half minute, so that `3 minutes ago` stays true. */
function useRegularUpdates(enabled: boolean): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    if (!enabled) return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 30_000);
    return () => clearInterval(timer);
  }, [enabled]);
}
