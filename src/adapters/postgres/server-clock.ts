import { type Clock, systemClock } from '../../base/time.ts';
import type { Postgres } from './postgres.ts';

/** The time of the database server, which all services that use it share: their own clocks may differ. */
export interface ServerClock extends Clock {
  close(): void;
}

const MEASURE_MS = 30_000;
/** The time of an answer that took longer is too uncertain. */
const MAX_ROUND_TRIP_MS = 500;

const TIME_SQL = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time';

/** Asks the server for its time now, and from then on every half minute. Rejects with `StorageError` if it does not answer. */
export async function openServerClock(
  { read }: Pick<Postgres, 'read'>,
  onError: (error: unknown) => void,
): Promise<ServerClock> {
  let offset = 0;
  async function measure(isFirst: boolean): Promise<void> {
    const begun = performance.now();
    const [result] = await read([[TIME_SQL, []]]);
    const roundTrip = performance.now() - begun;
    if (roundTrip > MAX_ROUND_TRIP_MS && !isFirst) return;
    const { time } = result!.rows[0] as { time: number };
    offset = time + roundTrip / 2 - systemClock.now();
  }
  await measure(true);
  const timer = setInterval(() => measure(false).catch(onError), MEASURE_MS).unref();
  return {
    now: () => Math.round(systemClock.now() + offset),
    monotonic: systemClock.monotonic,
    close: () => clearInterval(timer),
  };
}
