import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import {
  type Alert,
  alertsQuery,
  metricSubjectsQuery,
  subjectsQuery,
  type TestResult,
  useDeleteAlert,
  useSaveAlert,
  useSilenceAlert,
  useTestAlert,
} from '../../api/alerts.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { seesAllUsers, useCanChange, useIsAdmin, useUser } from '../../api/session.ts';
import { usersQuery } from '../../api/users.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { ConfirmDialog, type DialogState, useDialog } from '../../ui/dialog.tsx';
import { hostText } from '../../ui/host-text.ts';
import { IconAlert, IconBell, IconCircleCheck, IconClock, IconPause } from '../../ui/icons.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EventsPanel } from './alert-events.tsx';
import { AlertDrawer } from './alert-form.tsx';
import { ALERT_KINDS, CHANNEL_LABELS, channelTarget, kindsFor } from './alert-kinds.ts';
import { type AlertSubject, linkedSite, type MetricPreset, shown } from './alert-values.ts';
import classes from './alerts.module.css';
import { metricText } from './metrics.ts';

const alertsRoute = getRouteApi('/signed-in/alerts');

/** Rules that send a message when something goes wrong. */
export function AlertsPage() {
  const { site, key, of } = alertsRoute.useSearch();
  const seesAll = seesAllUsers(useUser());
  const ofAll = seesAll && of === 'all';
  const { data, error, refetch } = useQuery(alertsQuery(ofAll));
  const { data: scrapers } = useQuery(scrapersQuery);
  const unit = scrapers?.cost_unit ?? NO_PRICES;
  const hasPrices = unit !== NO_PRICES;
  const form = useDialog<AlertSubject>();
  const removal = useDialog<Alert>();
  const wanted = useLocation({ select: ({ state }) => state.form });
  const navigate = alertsRoute.useNavigate();
  const canChange = useCanChange();
  const isLoaded = data !== undefined;
  const create = () => form.open({ kind: 'site_success' });
  const cancel = () => {
    form.close();
    const host = form.subject === null ? null : linkedSite(form.subject);
    // Back to the page of the site, or to that of the keys.
    if (host !== null) void navigate({ to: '/sites', search: { host }, replace: true });
    const isOfKey =
      form.subject !== null && 'metric' in form.subject && form.subject.metric?.key !== undefined;
    if (isOfKey) void navigate({ to: '/keys', replace: true });
  };
  const openedFor = useRef<string>(undefined);
  // A link to this page may open the form. The address is then that of the page alone, so a reload does not open it again.
  useEffect(() => {
    const link = site ?? key ?? wanted;
    if (link === openedFor.current || !isLoaded || (key !== undefined && scrapers === undefined)) return;
    openedFor.current = link;
    if (link === undefined) return;
    if (canChange)
      form.open(
        key === undefined
          ? { kind: 'site_success', site }
          : { kind: 'metric', metric: { ...keyPreset(hasPrices), key } },
      );
    void navigate({ search: {}, state: {}, replace: true });
  }, [site, key, wanted, isLoaded, scrapers, hasPrices, canChange, form.open, navigate]);
  return (
    <>
      <PageHeader
        title={t`Alerts`}
        description={t`Sluice sends you a message when something goes wrong, and when it works again.`}
        actions={
          <ChangersOnly>
            <Button onClick={create} disabled={!isLoaded}>
              <Trans>Create an alert</Trans>
            </Button>
          </ChangersOnly>
        }
      />
      <Stack gap="md">
        {seesAll && (
          <SegmentedControl
            aria-label={t`Whose alerts`}
            size="sm"
            value={ofAll ? 'all' : 'own'}
            onChange={(next) => void navigate({ search: next === 'all' ? { of: 'all' } : {}, replace: true })}
            data={[
              { value: 'own', label: t({ message: 'Mine', context: 'alerts' }) },
              { value: 'all', label: t({ message: 'All users', context: 'alerts' }) },
            ]}
            style={{ alignSelf: 'flex-start' }}
          />
        )}
        <Panel title={t`Rules`} flush>
          {error !== null && data === undefined ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : data?.items.length === 0 ? (
            <Suggestions form={form} items={[]} hasPrices={hasPrices} />
          ) : (
            <>
              <RulesTable
                items={data?.items ?? null}
                form={form}
                removal={removal}
                ofAll={ofAll}
                unit={unit}
              />
              {isLoaded && canChange && !ofAll && (
                <Presets form={form} items={data.items} hasPrices={hasPrices} />
              )}
            </>
          )}
        </Panel>
        <EventsPanel ofAll={ofAll} />
      </Stack>
      {isLoaded && <AlertDrawer dialog={form} channelTypes={data.channel_types} onCancel={cancel} />}
      {removal.subject !== null && <RemovalDialog dialog={removal} alert={removal.subject} />}
    </>
  );
}

/** `cost_unit` of a service without prices. */
const NO_PRICES = 'effort';

/** What a key spends; without prices, how much it scrapes. */
const keyPreset = (hasPrices: boolean): MetricPreset =>
  hasPrices
    ? { metric: 'cost', name: t`A key spends too much` }
    : { metric: 'scrapes', op: '>=', threshold: 1_000, name: t`A key scrapes too much` };

const METRIC_PRESETS: readonly (MetricPreset & { readonly name: string; readonly needsPrices?: true })[] = [
  { metric: 'cost', name: t`A key spends too much`, needsPrices: true },
  { metric: 'cost_month', name: t`The month costs too much`, needsPrices: true },
  { metric: 'blocked_rate', name: t`A site blocks many scrapes` },
  { metric: 'error_rate', name: t`Many scrapes are not OK` },
  { metric: 'p95_ms', name: t`A site is slow` },
  { metric: 'scrapes', name: t`Nothing is scraped any more` },
];

interface FormProps {
  readonly form: DialogState<AlertSubject>;
  /** Rules that there are, which need not be suggested. */
  readonly items: readonly Alert[];
  readonly hasPrices: boolean;
}

function Suggestions(props: FormProps) {
  const canChange = useCanChange();
  if (!canChange)
    return (
      <EmptyState icon={IconBell} title={t`No alerts`} level={3}>
        <Trans>Each alert belongs to the user who created it. A viewer cannot create alerts.</Trans>
      </EmptyState>
    );
  return (
    <EmptyState icon={IconBell} title={t`No alerts yet`} level={3}>
      <Presets {...props} />
    </EmptyState>
  );
}

/** One click opens the form with good values. Of what there is a rule for, none is suggested. */
function Presets({ form, items, hasPrices }: FormProps) {
  const isAdmin = useIsAdmin();
  const kinds = kindsFor(isAdmin).filter(
    (kind) => kind !== 'metric' && !items.some((rule) => rule.kind === kind),
  );
  const metrics = METRIC_PRESETS.filter(
    ({ metric, needsPrices }) =>
      (hasPrices || needsPrices === undefined) &&
      !items.some(({ conditions }) => conditions.metric === metric),
  );
  if (kinds.length + metrics.length === 0) return null;
  return (
    <div className={items.length === 0 ? undefined : classes.more}>
      <p className={classes.presets}>
        <Trans>Alert me when …</Trans>
      </p>
      <Group gap="xs" justify="center">
        {kinds.map((kind) => (
          <Button key={kind} variant="default" size="xs" onClick={() => form.open({ kind })}>
            {ALERT_KINDS[kind].suggestion}
          </Button>
        ))}
        {metrics.map(({ needsPrices: _, ...metric }) => (
          <Button
            key={metric.metric}
            variant="default"
            size="xs"
            onClick={() => form.open({ kind: 'metric', metric })}
          >
            {metric.name}
          </Button>
        ))}
      </Group>
    </div>
  );
}

interface RulesTableProps {
  readonly items: readonly Alert[] | null;
  readonly form: DialogState<AlertSubject>;
  readonly removal: DialogState<Alert>;
  /** Also those of others, which nobody else changes. */
  readonly ofAll: boolean;
  /** The currency of costs. */
  readonly unit: string;
}

function RulesTable({ items, form, removal, ofAll, unit }: RulesTableProps) {
  const { id: ownId } = useUser();
  const { data: users } = useQuery({ ...usersQuery, enabled: ofAll });
  const emailOf = (id: string) => users?.items.find((user) => user.id === id)?.email ?? id;
  return (
    <DataTable
      caption={t`Rules of alerts, newest first`}
      columns={[
        {
          label: t`Name`,
          lead: true,
          minWidth: '8rem',
          cell: (alert) => <RuleName alert={alert} unit={unit} />,
        },
        ...(ofAll
          ? [{ label: t`Owner`, cell: ({ user_id }: Alert) => <small>{emailOf(user_id)}</small> }]
          : []),
        { label: t`State`, cell: (alert) => <RuleState alert={alert} /> },
        {
          label: t`Messages go to`,
          wide: true,
          lead: true,
          minWidth: '8rem',
          cell: ({ channels }) =>
            channels.map((channel) => <small key={channel.id}>{channelText(channel)}</small>),
        },
        {
          label: t`Actions`,
          hidden: true,
          width: '1%',
          cell: (alert) =>
            alert.user_id === ownId && (
              <ChangersOnly>
                <RuleMenu alert={alert} form={form} removal={removal} />
              </ChangersOnly>
            ),
        },
      ]}
      rows={items}
      rowKey={({ id }) => id}
      skeletonRows={3}
    />
  );
}

function RuleName({ alert, unit }: { readonly alert: Alert; readonly unit: string }) {
  const { name, kind, channels, instances } = alert;
  const firing = instances.filter(({ state }) => state === 'firing');
  return (
    <>
      <div>{name}</div>
      {name !== ALERT_KINDS[kind].label && <small>{ALERT_KINDS[kind].label}</small>}
      {kind === 'metric' ? <WatchedMetric alert={alert} unit={unit} /> : <Watched alert={alert} />}
      <small data-narrow>{t`Messages go to: ${channels.map(channelText).join(', ')}`}</small>
      {firing.map(({ subject, summary }) => (
        <small key={subject}>{summary}</small>
      ))}
    </>
  );
}

const channelText = (channel: Alert['channels'][number]): string =>
  `${CHANNEL_LABELS[channel.type]}: ${channelTarget(channel)}`;

/** What the rule measures. Names of keys and users are those that the viewer may see. */
function WatchedMetric({ alert: { conditions }, unit }: { readonly alert: Alert; readonly unit: string }) {
  const { subject = null, scope = 'all', all_users: allUsers = false } = conditions;
  const hasId = subject !== null && (scope === 'key' || scope === 'user');
  const { data: named } = useQuery({
    ...metricSubjectsQuery(scope, { allUsers, hasBudget: false }),
    enabled: hasId,
  });
  const name = named?.find(({ value }) => value === subject)?.label ?? subject;
  return <small>{metricText(conditions, name, unit)}</small>;
}

/** What the rule is limited to, and the value that fires. */
function Watched({ alert: { kind, conditions } }: { readonly alert: Alert }) {
  const { subject, threshold: label } = ALERT_KINDS[kind];
  const { id } = useUser();
  const name = conditions.subject ?? null;
  const hasId = name !== null && (kind === 'budget' || kind === 'monitor');
  const { data: named } = useQuery({ ...subjectsQuery(kind, id), enabled: hasId });
  const nameText =
    name === null
      ? t`All`
      : kind === 'site_success'
        ? hostText(name)
        : (named?.find(({ value }) => value === name)?.label ?? name);
  return (
    <>
      {subject !== null && <small>{`${subject.noun}: ${nameText}`}</small>}
      {label !== null && conditions.threshold !== undefined && (
        <small>{`${label.label}: ${shown(kind, conditions.threshold)}`}</small>
      )}
    </>
  );
}

function RuleState({
  alert: { enabled, state, since, silenced_until: silenced },
}: {
  readonly alert: Alert;
}) {
  if (!enabled) return <Pill tone="slate" icon={IconPause}>{t`Off`}</Pill>;
  return (
    <>
      {state === 'firing' ? (
        <Pill tone="red" icon={IconAlert}>{t`Firing`}</Pill>
      ) : (
        <Pill tone="green" icon={IconCircleCheck}>{t`OK`}</Pill>
      )}
      {since !== null && (
        <div>
          <DateTime at={since} as="relative" />
        </div>
      )}
      {silenced !== null && (
        <div>
          <Pill tone="amber" icon={IconClock}>{t`Silenced`}</Pill>
        </div>
      )}
    </>
  );
}

const HOUR_MS = 3_600_000;
const SILENCES: readonly (readonly [label: string, ms: number])[] = [
  [t`Silence for 1 hour`, HOUR_MS],
  [t`Silence for 1 day`, 24 * HOUR_MS],
  [t`Silence for 1 week`, 7 * 24 * HOUR_MS],
];

function RuleMenu({
  alert,
  form,
  removal,
}: { readonly alert: Alert } & Pick<RulesTableProps, 'form' | 'removal'>) {
  const { id, name, enabled, silenced_until: silenced } = alert;
  const test = useTestAlert();
  const silence = useSilenceAlert();
  const change = useSaveAlert(id);
  const setSilence = (until: string | null) =>
    silence.mutate(
      { id, until },
      {
        onError: notifyError,
        onSuccess: () =>
          notifySuccess(until === null ? t`The silence of “${name}” has ended.` : t`“${name}” is silenced.`),
      },
    );
  return (
    <>
      <TestResults results={test.data?.channels ?? null} onClose={test.reset} />
      <RowMenu
        label={t`Actions for ${name}`}
        actions={[
          { label: t`Send a test`, onClick: () => test.mutate(id, { onError: notifyError }) },
          { label: t`Edit`, onClick: () => form.open({ alert }) },
          ...(silenced === null
            ? SILENCES.map(([label, ms]) => ({
                label,
                onClick: () => setSilence(new Date(Date.now() + ms).toISOString()),
              }))
            : [{ label: t`End the silence`, onClick: () => setSilence(null) }]),
          {
            label: enabled ? t`Switch off` : t`Switch on`,
            onClick: () => change.mutate({ enabled: !enabled }, { onError: notifyError }),
          },
          { label: t`Delete`, color: 'red', onClick: () => removal.open(alert) },
        ]}
      />
    </>
  );
}

interface TestResultsProps {
  /** null: nothing was tested. */
  readonly results: TestResult['channels'] | null;
  readonly onClose: () => void;
}

/** How the test message got to each channel. */
function TestResults({ results, onClose }: TestResultsProps) {
  return (
    <Modal opened={results !== null} onClose={onClose} title={t`Results of the test`}>
      <Stack px="xs" pb="xs">
        {results?.map(({ id, type, ok, error }) => (
          <Group key={id} gap="xs" wrap="nowrap" align="flex-start">
            {ok ? (
              <Pill tone="green" icon={IconCircleCheck}>{t`Delivered`}</Pill>
            ) : (
              <Pill tone="red" icon={IconAlert}>{t`Failed`}</Pill>
            )}
            <Text size="sm">
              {error === null ? CHANNEL_LABELS[type] : `${CHANNEL_LABELS[type]}: ${error}`}
            </Text>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}

function RemovalDialog({ dialog, alert }: { readonly dialog: DialogState<Alert>; readonly alert: Alert }) {
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Delete “${alert.name}”?`}
      confirmLabel={t`Delete the alert`}
      danger
      action={useDeleteAlert()}
      input={alert.id}
    >
      <Trans>Its history is deleted, too.</Trans>
    </ConfirmDialog>
  );
}
