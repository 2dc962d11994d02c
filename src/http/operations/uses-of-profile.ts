import { newestFirst, type RunListQuery, sortedValue } from '../../domain/run-lists.ts';
import { SealError } from '../../domain/sealing.ts';
import { openTarget } from '../../monitors/start-run.ts';
import { openJobOf } from '../../schedules/scheduled-job.ts';
import type { EndpointDeps } from '../core/deps.ts';

/** What runs with a profile again and again. */
interface UseOfProfile {
  readonly type: 'monitor' | 'schedule';
  readonly id: string;
  readonly name: string;
}

const MAX_PROFILE_USES = 50;
/** Requests are sealed, and those of a page are open at once. */
const PAGE = 100;
/** Monitors, and schedules, that are looked at. */
const MAX_READ = 1_000;

/** The monitors and schedules of a user whose requests name the profile, the newest first. */
export async function usesOfProfile(
  { store: { monitors, schedules }, sealer }: Pick<EndpointDeps, 'store' | 'sealer'>,
  userId: string,
  profile: string,
): Promise<readonly UseOfProfile[]> {
  const uses: UseOfProfile[] = [];
  const find = async <Row extends Parameters<typeof sortedValue>[0] & Pick<UseOfProfile, 'id' | 'name'>>(
    type: UseOfProfile['type'],
    list: (query: RunListQuery<'created'>) => Promise<readonly Row[]>,
    open: (row: Row) => object,
  ) => {
    let after: RunListQuery['after'] = null;
    for (let read = 0; read < MAX_READ; read += PAGE) {
      const rows: readonly Row[] = await list({ ...newestFirst(PAGE), after });
      for (const row of rows)
        if (names(opened(row, open), profile)) uses.push({ type, id: row.id, name: row.name });
      const last = rows.at(-1);
      if (rows.length < PAGE || last === undefined) return;
      after = { value: sortedValue(last, 'created'), id: last.id };
    }
  };
  await find(
    'monitor',
    (query) => monitors.list(userId, query),
    (row) => openTarget(row, sealer).members,
  );
  await find(
    'schedule',
    (query) => schedules.list(userId, query),
    (row) => openJobOf(row, sealer).members,
  );
  return uses.slice(0, MAX_PROFILE_USES);
}

/** @returns null: its encryption key is gone, so it cannot run either */
function opened<Row>(row: Row, open: (row: Row) => object): object | null {
  try {
    return open(row);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return null;
  }
}

/** Whether a part of a request names the profile: in `scraper_options`, or in an action `login`, also in its short form. */
function names(part: unknown, profile: string): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const { scraper_options: options, type, profile: ofLogin, login } = part as Record<string, unknown>;
  const isNamed = (value: unknown, member: string) =>
    value === profile || (value as Record<string, unknown> | null | undefined)?.[member] === profile;
  if (isNamed((options as { readonly profile?: unknown } | undefined)?.profile, 'name')) return true;
  if ((type === 'login' && ofLogin === profile) || isNamed(login, 'profile')) return true;
  return Object.values(part).some((inner) => names(inner, profile));
}
