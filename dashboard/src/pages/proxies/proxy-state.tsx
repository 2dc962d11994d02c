import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Pool, PoolProxy } from '../../api/system.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount, formatDuration } from '../../ui/format.ts';
import { IconAlert, IconCircleCheck, IconCircleX, IconClock } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Look, StatePill } from '../../ui/pill.tsx';
import classes from './proxies.module.css';

/** In the order in which they need attention. `unclear`: the proxy or the sites failed, and it has not worked yet. */
const STATES = ['failing', 'unclear', 'untried', 'working'] as const;
type ProxyState = (typeof STATES)[number];

function proxyState({ health, attempts, ok, consecutive_failures: failures }: PoolProxy): ProxyState {
  if (health !== 'healthy') return 'failing';
  if (attempts === 0) return 'untried';
  return ok === 0 && failures > 0 ? 'unclear' : 'working';
}

/** Lower: it needs attention sooner. */
export const attentionRank = (proxy: PoolProxy): number => STATES.indexOf(proxyState(proxy));

/** Whether every proxy of the pool fails. */
export const isDead = (pool: Pool | undefined): pool is Pool =>
  pool !== undefined &&
  pool.proxies.length > 0 &&
  pool.proxies.every((proxy) => proxyState(proxy) === 'failing');

/** Since when no proxy of a dead pool works. */
const deadSince = ({ proxies }: Pool): string | null =>
  proxies
    .map(({ failing_since }) => failing_since)
    .filter((at) => at !== null)
    .toSorted()
    .at(-1) ?? null;

/** Names the pools without a working proxy. Renders nothing if there are none. */
export function DeadPools({ pools }: { readonly pools: readonly Pool[] }) {
  const dead = pools.filter(isDead);
  if (dead.length === 0) return null;
  const total = formatCount(pools.length);
  return (
    <Notice
      tone="red"
      icon={IconAlert}
      title={
        pools.length === 1
          ? t`The only pool does not work`
          : plural(dead.length, {
              one: `# of ${total} pools does not work`,
              other: `# of ${total} pools do not work`,
            })
      }
    >
      <ul className={classes.problems}>
        {dead.map((pool) => (
          <li key={pool.name}>
            <Trans>
              <b>{pool.name}</b>: no proxy has worked since <DateTime at={deadSince(pool)} />
            </Trans>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** How many proxies of a pool are in each state. */
export function PoolHealth({ pool }: { readonly pool: Pool }) {
  const counts = Map.groupBy(pool.proxies, proxyState);
  return STATES.map((state) => {
    const count = counts.get(state)?.length ?? 0;
    const [, ...look] = LOOKS[state];
    return count > 0 && <StatePill key={state} look={[COUNT_TEXTS[state](formatCount(count)), ...look]} />;
  });
}

const COUNT_TEXTS: Readonly<Record<ProxyState, (count: string) => string>> = {
  failing: (count) => t`${count} failing`,
  unclear: (count) => t`${count} unclear`,
  untried: (count) => t`${count} not tried yet`,
  working: (count) => t`${count} working`,
};

const LOOKS: Readonly<Record<ProxyState, Look>> = {
  failing: [t`failing`, 'red', IconCircleX, t`Does not work; one scrape at a time tries it`],
  unclear: [t`unclear`, 'amber', IconAlert, t`Has not worked yet; the proxy or the sites failed`],
  untried: [t`not tried yet`, 'slate', IconClock, t`No scrape has used it since the service started`],
  working: [t`working`, 'green', IconCircleCheck, t`In use`],
};

/** The state of a proxy now. */
export const ProxyPill = ({ proxy }: { readonly proxy: PoolProxy }) => (
  <StatePill look={LOOKS[proxyState(proxy)]} />
);

const FAILURE_TEXTS: Readonly<Record<string, string>> = {
  auth: t`credentials refused`,
  refused: t`connection refused`,
  dns: t`host name not resolved`,
  timeout: t`no response in time`,
  protocol: t`not a valid proxy response`,
};

/** Since when a proxy fails, why, and when it is tried again. Renders nothing if it does not fail. */
export function FailureDetails({ proxy }: { readonly proxy: PoolProxy }) {
  const { consecutive_failures: failures, failing_since: since, last_failure: last } = proxy;
  if (failures === 0) return null;
  const reason = last === null ? '' : (FAILURE_TEXTS[last] ?? last);
  return (
    <p className={classes.details}>
      <span>
        <Trans>
          Failing since <DateTime at={since} />
        </Trans>
      </span>
      <span>
        {plural(failures, { one: `# failure: ${reason}`, other: `# failures in a row: ${reason}` })}
      </span>
      <span>{retryText(proxy)}</span>
    </p>
  );
}

function retryText({ health, in_flight, retry_in_ms: retry }: PoolProxy): string | null {
  if (health === 'healthy') return null;
  if (retry !== null) return t`Cooling: not used for another ${formatDuration(retry)}`;
  return in_flight > 0 ? t`A scrape is trying it now` : t`The next scrape may try it`;
}
