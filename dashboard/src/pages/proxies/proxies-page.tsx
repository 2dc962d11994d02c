import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import {
  type PoolSettings,
  poolSettingsQuery,
  proxyHistoryQuery,
  useAllowNone,
  useDeletePool,
} from '../../api/proxies.ts';
import { useCanChange } from '../../api/session.ts';
import { type Proxies, proxiesQuery } from '../../api/system.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { ConfirmDialog, type DialogState, useDialog } from '../../ui/dialog.tsx';
import { IconAlert, IconInfo, IconProxies } from '../../ui/icons.tsx';
import { Notice, notifyError } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { OutcomePatterns } from '../overview/charts/outcome-marks.tsx';
import { WindowControl } from '../overview/charts/window-control.tsx';
import { PoolDrawer, type PoolSubject } from './pool-form.tsx';
import { PoolPanel } from './pool-panel.tsx';
import { PoolTestDialog } from './pool-test.tsx';
import classes from './proxies.module.css';
import { DeadPools, isDead } from './proxy-state.tsx';

const proxiesRoute = getRouteApi('/signed-in/proxies');

/** With more pools than this, charts are only drawn when somebody asks for them. */
const MAX_CHARTED = 6;

/** The proxy pools: settings, tests, health and traffic over time. Viewers cannot change them. */
export function ProxiesPage() {
  const { window = '24h' } = proxiesRoute.useSearch();
  const navigate = proxiesRoute.useNavigate();
  const settings = useQuery(poolSettingsQuery);
  const { data, error, refetch } = useQuery(proxiesQuery);
  const { data: history } = useQuery(proxyHistoryQuery(window));
  const form = useDialog<PoolSubject>();
  const test = useDialog<string>();
  const removal = useDialog<string>();
  const failure = error ?? settings.error;
  const isFile = settings.data?.source === 'file';
  return (
    <>
      <PageHeader
        title={t`Proxies`}
        description={t`Proxy pools for scrapes, with their health and traffic over time.`}
        actions={
          <>
            <WindowControl
              value={window}
              onChange={(next) => void navigate({ search: { window: next }, replace: true })}
            />
            {settings.data?.source === 'database' && (
              <ChangersOnly>
                <Button onClick={() => form.open({ pool: null })}>
                  <Trans>Add a pool</Trans>
                </Button>
              </ChangersOnly>
            )}
          </>
        }
      />
      <OutcomePatterns />
      {data === undefined || settings.data === undefined ? (
        failure === null ? (
          <PageSkeleton />
        ) : (
          <ErrorState
            error={failure}
            onRetry={() => {
              void refetch();
              void settings.refetch();
            }}
          />
        )
      ) : (
        <Stack gap="md">
          <DeadPools pools={data.pools} />
          <FileNotice file={data.file} />
          {deadFirst(settings.data.items, data.pools).map((pool) => (
            <PoolPanel
              key={pool.name}
              settings={pool}
              pool={data.pools.find(({ name }) => name === pool.name)}
              history={history}
              unit={data.cost_unit}
              showsCharts={settings.data.items.length <= MAX_CHARTED}
              actions={
                <ChangersOnly>
                  <PoolMenu pool={pool} isFile={isFile} form={form} test={test} removal={removal} />
                </ChangersOnly>
              }
            />
          ))}
          {settings.data.items.length === 0 && <NoPools isFile={isFile} allowDirect={data.allow_direct} />}
          <AllowNone isAllowed={settings.data.allow_none} isFile={isFile} />
        </Stack>
      )}
      <PoolDrawer
        dialog={form}
        currency={data === undefined || data.cost_unit === 'effort' ? null : data.cost_unit}
      />
      <PoolTestDialog dialog={test} />
      {removal.subject !== null && <RemovalDialog dialog={removal} name={removal.subject} />}
    </>
  );
}

/** Pools without a working proxy come first. */
function deadFirst(settings: readonly PoolSettings[], pools: Proxies['pools']): readonly PoolSettings[] {
  const dead = new Set(pools.filter(isDead).map(({ name }) => name));
  return settings.toSorted((a, b) => Number(dead.has(b.name)) - Number(dead.has(a.name)));
}

interface PoolMenuProps {
  readonly pool: PoolSettings;
  readonly isFile: boolean;
  readonly form: DialogState<PoolSubject>;
  readonly test: DialogState<string>;
  readonly removal: DialogState<string>;
}

function PoolMenu({ pool, isFile, form, test, removal }: PoolMenuProps) {
  const { name, problems } = pool;
  return (
    <RowMenu
      label={t`Actions for ${name}`}
      actions={[
        { label: t`Test`, disabled: problems.length > 0, onClick: () => test.open(name) },
        !isFile && { label: t`Edit`, onClick: () => form.open({ pool }) },
        !isFile && { label: t`Delete`, color: 'red', onClick: () => removal.open(name) },
      ]}
    />
  );
}

const EXAMPLE = `Name     own
Type     Datacenter
Proxies  http://user:password@192.0.2.10:3128
         socks5h://192.0.2.11:1080`;

interface NoPoolsProps {
  readonly isFile: boolean;
  /** Whether scrapes may use the address of the server. */
  readonly allowDirect: boolean;
}

function NoPools({ isFile, allowDirect }: NoPoolsProps) {
  const canChange = useCanChange();
  return (
    <Panel>
      <EmptyState icon={IconProxies} title={t`No proxy pools yet`}>
        <p>
          {allowDirect
            ? t`Scrapes use this server's own IP address.`
            : t`Scrapes must not use this server's own IP address, so only requests that bring their own proxy work.`}
        </p>
        {!isFile && canChange && (
          <>
            <p>
              <Trans>
                Add a pool: a list of your own proxies, or the gateway of a provider. For example:
              </Trans>
            </p>
            <pre className={`mono ${classes.example}`}>{EXAMPLE}</pre>
          </>
        )}
      </EmptyState>
    </Panel>
  );
}

interface AllowNoneProps {
  readonly isAllowed: boolean;
  readonly isFile: boolean;
}

/** Whether requests may choose no proxy. */
function AllowNone({ isAllowed, isFile }: AllowNoneProps) {
  const change = useAllowNone();
  const canChange = useCanChange();
  return (
    <Panel title={t`Requests without a proxy`}>
      <Switch
        label={t`Requests may choose no proxy`}
        description={t`A request with the proxy type “none” then uses the IP address of this server.`}
        checked={isAllowed}
        disabled={isFile || !canChange || change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked, { onError: notifyError })}
      />
    </Panel>
  );
}

interface RemovalDialogProps {
  readonly dialog: DialogState<string>;
  readonly name: string;
}

function RemovalDialog({ dialog, name }: RemovalDialogProps) {
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Delete the pool “${name}”?`}
      confirmLabel={t`Delete the pool`}
      danger
      action={useDeletePool()}
      input={name}
    >
      <Trans>
        New scrapes no longer use its proxies. Its credentials are deleted and cannot be restored.
      </Trans>
    </ConfirmDialog>
  );
}

/** Shown if the pools are in a file: where, and its errors if it was changed and is invalid. */
function FileNotice({ file }: { readonly file: Proxies['file'] }) {
  if (file === null) return null;
  if (file.problems.length === 0)
    return (
      <Notice tone="slate" icon={IconInfo} title={t`Pools are set in the file of SLUICE_PROXIES`}>
        <p>
          <Trans>
            They can be tested here, but not changed. To change them, edit{' '}
            <code className="mono">{file.path}</code>.
          </Trans>
        </p>
      </Notice>
    );
  return (
    <Notice tone="amber" icon={IconAlert} title={t`The changed proxy file has errors`}>
      <p>
        <Trans>
          The version read on <DateTime at={file.loaded_at} /> stays in use. Fix these in{' '}
          <code className="mono">{file.path}</code>:
        </Trans>
      </p>
      <ul className={classes.problems}>
        {file.problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Notice>
  );
}
