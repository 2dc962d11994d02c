import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Schema } from '../../api/client.ts';
import type { System } from '../../api/system.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatBytes, formatCount, formatDuration } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Pill, type Tone } from '../../ui/pill.tsx';
import classes from './system.module.css';

type SystemBrowsers = System['browsers'];

const BROWSER_STATES: Readonly<Record<SystemBrowsers['state'], readonly [tone: Tone, label: string]>> = {
  ready: ['green', t`ready`],
  unknown: ['slate', t`not needed yet`],
  unavailable: ['slate', t`not installed`],
  down: ['red', t`down`],
};

/** The running browsers, and statistics of earlier ones. */
export function BrowsersPanel({ browsers }: { readonly browsers: SystemBrowsers }) {
  const running = browsers.kinds.flatMap((kind) => kind.browsers.map((browser) => ({ kind, browser })));
  // A browser that was started in advance runs before a scrape has needed one.
  const isReady = browsers.state === 'unknown' && running.length > 0;
  const [tone, label] = BROWSER_STATES[isReady ? 'ready' : browsers.state];
  return (
    <Panel
      title={t`Browsers`}
      description={t`${formatCount(browsers.pages_served)} pages since the service started, ${formatCount(browsers.refused)} scrapes refused because the queue was full.`}
      actions={<Pill tone={tone}>{label}</Pill>}
      flush
    >
      {browsers.kinds.length === 0 ? (
        <p className={classes.none}>
          <Trans>No scrape has used a browser since the service started.</Trans>
        </p>
      ) : (
        <>
          <KindList kinds={browsers.kinds} />
          {running.length === 0 ? (
            <p className={classes.none}>
              <Trans>No browser is running; the next scrape that needs one starts it.</Trans>
            </p>
          ) : (
            <BrowserTable running={running} />
          )}
        </>
      )}
    </Panel>
  );
}

type BrowserKind = Schema<'SystemBrowserKind'>;

/** The kinds of browsers that were needed, with the number of starts and their reasons. */
function KindList({ kinds }: { readonly kinds: readonly BrowserKind[] }) {
  return (
    <ul className={classes.kinds} aria-label={t`Kinds of browsers`}>
      {kinds.map((kind) => (
        <li key={kindName(kind)}>
          <span className={classes.kind}>
            {kindName(kind)} <KindState kind={kind} />
          </span>
          <span className={classes.counts}>
            {[
              plural(kind.launches, { one: '# launch', other: '# launches' }),
              plural(kind.crashes, { one: '# crash', other: '# crashes' }),
              t`${formatCount(kind.recycles)} recycled`,
              t`${formatCount(kind.replaced)} replaced`,
            ].join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  );
}

function KindState({ kind }: { readonly kind: BrowserKind }) {
  if (kind.trouble !== null) return <Pill tone="red">{t`cannot start`}</Pill>;
  if (kind.starting) return <Pill tone="amber">{t`starting`}</Pill>;
  return kind.browsers.length > 0 ? (
    <Pill tone="green">{t`running`}</Pill>
  ) : (
    <Pill tone="slate">{t`stopped`}</Pill>
  );
}

/** `chromium, headed, full lane, apart`; `apart`: the browser for pages that slow others down. */
const kindName = ({ browser_type, headless, lane, apart }: BrowserKind): string =>
  `${browser_type}${headless ? '' : ', headed'}, ${lane} lane${apart ? ', apart' : ''}`;

interface BrowserTableProps {
  readonly running: readonly {
    readonly kind: Schema<'SystemBrowserKind'>;
    readonly browser: Schema<'SystemBrowser'>;
  }[];
}

function BrowserTable({ running }: BrowserTableProps) {
  return (
    <DataTable
      caption={t`Running browsers`}
      columns={[
        {
          label: t`Process`,
          className: 'tabular',
          cell: ({ browser }) => (
            <>
              {browser.pid} {browser.retired && <Pill tone="slate">{t`Closes after its last page`}</Pill>}
            </>
          ),
        },
        {
          label: t`Browser`,
          cell: ({ kind, browser: { version } }) => (
            <>
              {kindName(kind)}
              {version !== null && <small className="tabular"> {version}</small>}
            </>
          ),
        },
        { label: t`Pages open`, numeric: true, cell: ({ browser }) => formatCount(browser.pages_open) },
        {
          label: t`Pages served`,
          wide: true,
          numeric: true,
          cell: ({ browser }) => formatCount(browser.pages_served),
        },
        { label: t`Memory`, numeric: true, cell: ({ browser }) => formatBytes(browser.memory_bytes) },
        {
          label: t`Age`,
          wide: true,
          numeric: true,
          cell: ({ browser }) => formatDuration(Math.round(browser.age_s) * 1000),
        },
      ]}
      rows={running}
      rowKey={({ browser }) => browser.pid}
    />
  );
}
