import { useEffect, useState } from 'react';
import { formatLocal, formatLocalDay, formatLocalMinute, formatRelative, formatUtc } from './format.ts';

interface DateTimeProps {
  /** RFC 3339; null is shown as `fallback`. */
  readonly at: string | null;
  /** `full` (default): to the second; `minute`; `day`; `relative`: `3 minutes ago`, kept up to date, and `minute` beyond 24 hours. */
  readonly as?: 'full' | 'minute' | 'day' | 'relative';
  readonly fallback?: string;
}

/** A time in the local time zone. A tooltip shows the second, and UTC. */
export function DateTime({ at, as = 'full', fallback = '–' }: DateTimeProps) {
  useRegularUpdates(as === 'relative');
  if (at === null) return <span>{fallback}</span>;
  const text = textOf(at, as);
  const title = as === 'full' ? formatUtc(at) : `${formatLocal(at)} (${formatUtc(at)})`;
  return (
    <time dateTime={at} title={title}>
      {text}
    </time>
  );
}

const DAY_MS = 86_400_000;

function textOf(at: string, as: NonNullable<DateTimeProps['as']>): string {
  if (as === 'full') return formatLocal(at);
  if (as === 'day') return formatLocalDay(at);
  const now = Date.now();
  const isNear = as === 'relative' && Math.abs(Date.parse(at) - now) < DAY_MS;
  return isNear ? formatRelative(at, now) : formatLocalMinute(at);
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
