import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { type ListedKey, userKeysQuery } from '../../api/keys.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { useCanChange } from '../../api/session.ts';
import { type ListedUser, userQuery } from '../../api/users.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { useDialog } from '../../ui/dialog.tsx';
import figureClasses from '../../ui/figure.module.css';
import { Figure } from '../../ui/figure.tsx';
import { formatCost, formatCount } from '../../ui/format.ts';
import { IconKey, IconUsers } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import { KeyDialog } from '../keys/key-dialogs.tsx';
import { keyState, limitsText, shortKey } from '../keys/key-state.ts';
import { KeyStatus, TestPill } from '../keys/keys-table.tsx';
import { UserDialog } from './user-dialogs.tsx';
import { roleLabel } from './user-values.ts';
import classes from './users.module.css';
import { UserStatus } from './users-table.tsx';

const userRoute = getRouteApi('/signed-in/users/$id');

/** A user with figures, limits and keys. For administrators and viewers. */
export function UserPage() {
  const { id } = userRoute.useParams();
  const { data: user, error, refetch } = useQuery(userQuery(id));
  const edit = useDialog<ListedUser>();
  const canChange = useCanChange();
  if (user === undefined) {
    if (error === null) return <PageSkeleton />;
    if (!(error instanceof ApiError && error.status === 404))
      return <ErrorState error={error} onRetry={() => void refetch()} />;
    return (
      <Panel>
        <EmptyState icon={IconUsers} title={t`No such user`}>
          <TextLink to="/users">{t`All users`}</TextLink>
        </EmptyState>
      </Panel>
    );
  }
  return (
    <>
      <PageHeader
        title={user.email}
        back={
          <TextLink to="/users">
            <Trans>Users</Trans>
          </TextLink>
        }
        description={
          <>
            {roleLabel(user.role)} · <UserStatus user={user} />
          </>
        }
        actions={
          canChange && (
            <Button variant="default" onClick={() => edit.open(user)}>
              <Trans>Role and limit</Trans>
            </Button>
          )
        }
      />
      <Stack gap="md">
        <UserFigures user={user} />
        <KeysPanel user={user} />
        <LimitsPanel user={user} />
      </Stack>
      {edit.subject && <UserDialog key={edit.openCount} dialog={edit} user={edit.subject} action="edit" />}
    </>
  );
}

interface UserProps {
  readonly user: ListedUser;
}

function UserFigures({ user }: UserProps) {
  const { id, scrapes_30d, cost_30d, last_used_at, last_seen_at, in_flight, concurrency } = user;
  const unit = useQuery(scrapersQuery).data?.cost_unit ?? '';
  return (
    <div className={figureClasses.grid}>
      <Figure
        label={t`Spend, 30 days`}
        value={cost_30d === null ? '–' : formatCost(cost_30d, unit)}
        notes={[
          <TextLink key="usage" to="/usage" search={{ user_id: id }}>
            {t`Usage of this user`}
          </TextLink>,
        ]}
      />
      <Figure
        label={t`Scrapes, 30 days`}
        value={formatCount(scrapes_30d)}
        notes={[
          <TextLink key="history" to="/history" search={{ user_id: id }}>
            {t`Scrapes of this user`}
          </TextLink>,
        ]}
      />
      <Figure
        label={t`Running now`}
        value={formatCount(in_flight)}
        notes={[t`of ${formatCount(concurrency)} at once`]}
      />
      <Figure
        label={t`Last active`}
        notes={[
          <Trans key="api">
            API: <DateTime at={last_used_at} as="relative" fallback={t`never`} />
          </Trans>,
          <Trans key="dashboard">
            Dashboard: <DateTime at={last_seen_at} as="relative" fallback={t`never`} />
          </Trans>,
          <TextLink key="audit" to="/audit" search={{ user_id: id }}>
            {t`Audit log of this user`}
          </TextLink>,
        ]}
      />
    </div>
  );
}

function KeysPanel({ user }: UserProps) {
  const keys = useQuery(userKeysQuery(user.id));
  const unit = useQuery(scrapersQuery).data?.cost_unit ?? '';
  const canChange = useCanChange();
  const revoke = useDialog<ListedKey>();
  const items = keys.data?.items ?? null;
  return (
    <Panel title={t`API keys`} description={t`The keys themselves are shown to nobody.`} flush>
      {keys.error !== null && items === null ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : items?.length === 0 ? (
        <EmptyState icon={IconKey} title={t`No keys`} level={3}>
          <Trans>This user has created none.</Trans>
        </EmptyState>
      ) : (
        <DataTable
          caption={t`API keys of ${user.email}`}
          columns={[
            {
              label: t`Key`,
              lead: true,
              minWidth: '9rem',
              cell: (key) => (
                <>
                  {key.name}
                  {key.test && (
                    <>
                      {' '}
                      <TestPill />
                    </>
                  )}
                  <small>
                    <code>{shortKey(key)}</code>
                  </small>
                  <small>{limitsText(key, unit)}</small>
                </>
              ),
            },
            { label: t`Status`, cell: (key) => <KeyStatus apiKey={key} /> },
            {
              label: t`Last used`,
              wide: true,
              nowrap: true,
              cell: ({ last_used_at }) => <DateTime at={last_used_at} as="relative" fallback={t`Never`} />,
            },
            {
              label: t`30 days`,
              wide: true,
              numeric: true,
              cell: ({ id, scrapes_30d, cost_30d }) => (
                <TextLink to="/usage" search={{ key_id: id }}>
                  {plural(scrapes_30d, { one: '# scrape', other: '# scrapes' })}
                  {cost_30d !== null && `, ${formatCost(cost_30d, unit)}`}
                </TextLink>
              ),
            },
            {
              label: t`Actions`,
              hidden: true,
              width: '1%',
              cell: (key) =>
                canChange &&
                keyState(key, Date.now()) !== 'revoked' && (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => revoke.open(key)}
                    aria-label={t`Revoke ${key.name}`}
                  >
                    <Trans>Revoke</Trans>
                  </Button>
                ),
            },
          ]}
          rows={items}
          rowKey={({ id }) => id}
          skeletonRows={2}
        />
      )}
      {revoke.subject && (
        <KeyDialog key={revoke.openCount} dialog={revoke} apiKey={revoke.subject} action="revoke" />
      )}
    </Panel>
  );
}

function LimitsPanel({ user }: UserProps) {
  const { concurrency, job_concurrency, limits } = user;
  const rows: readonly (readonly [string, number])[] = [
    [t`Requests at once`, concurrency],
    [t`Items of jobs at once`, job_concurrency],
    [t`Open jobs`, limits.open_jobs],
    [t`Items that wait in jobs`, limits.queued_items],
    [t`Monitors`, limits.monitors],
    [t`Schedules`, limits.schedules],
    [t`Datasets`, limits.datasets],
    [t`Templates`, limits.templates],
    [t`Profiles`, limits.profiles],
    [t`Open streams`, limits.streams],
  ];
  return (
    <Panel title={t`Limits`}>
      <ul className={classes.limits}>
        {rows.map(([label, value]) => (
          <li key={label}>
            <span className="dimmed">{label}: </span>
            {formatCount(value)}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
