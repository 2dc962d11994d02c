import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type ApiKey, keysQuery } from '../../api/keys.ts';
import { seesAllUsers, useUser } from '../../api/session.ts';
import { useDialog } from '../../ui/dialog.tsx';
import { timeOf } from '../../ui/format.ts';
import { type Icon, IconKey, IconLock, IconPlus, IconRotate } from '../../ui/icons.tsx';
import { OrderSelect } from '../../ui/order-select.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import { useLinkedForm } from '../../ui/use-linked-form.ts';
import { CreateKey, type KeyAction, KeyDialog } from './key-dialogs.tsx';
import { isUsable } from './key-state.ts';
import classes from './keys.module.css';
import { KeysTable } from './keys-table.tsx';

const keysRoute = getRouteApi('/signed-in/keys');

/** The orders of the list. */
const ORDERS = {
  name: t`By name`,
  used: t`Last used first`,
  today: t`Most used today first`,
  expires: t`Next to expire first`,
};

const COMPARE: Readonly<Record<keyof typeof ORDERS, (a: ApiKey, b: ApiKey) => number>> = {
  name: (a, b) => a.name.localeCompare(b.name),
  used: (a, b) => timeOf(b.last_used_at) - timeOf(a.last_used_at),
  today: (a, b) => b.requests_today - a.requests_today,
  // Those that do not expire come last.
  expires: (a, b) => (timeOf(a.expires_at) || Infinity) - (timeOf(b.expires_at) || Infinity) || 0,
};

/** The user's own keys. */
export function KeysPage() {
  const search = keysRoute.useSearch();
  const { show, sort } = search;
  const navigate = keysRoute.useNavigate();
  const keys = useQuery(keysQuery);
  const seesAll = seesAllUsers(useUser());
  const create = useDialog<'new'>();
  useLinkedForm('new', () => create.open('new'));
  const action = useDialog<{ readonly action: KeyAction; readonly apiKey: ApiKey }>();
  const all = keys.data?.items ?? null;
  const now = Date.now();
  const shown =
    all
      ?.filter((key) => show === 'all' || isUsable(key, now))
      .toSorted(sort === undefined ? () => 0 : COMPARE[sort]) ?? null;
  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => create.open('new')}>
      <Trans>Create a key</Trans>
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t`API keys`}
        description={
          <>
            <Trans>Your programs send a key with every request. Use a separate key for each.</Trans>
            {seesAll && (
              <>
                {' '}
                <Trans>
                  The keys of others are on their pages, below{' '}
                  <TextLink to="/users" underline="always">
                    Users
                  </TextLink>
                  .
                </Trans>
              </>
            )}
          </>
        }
        actions={all?.length === 0 ? undefined : createButton}
      />
      <Stack gap="lg">
        {all !== null && all.length > 0 && (
          <Group gap="xs">
            <SegmentedControl
              aria-label={t`Which keys`}
              size="sm"
              value={show ?? 'active'}
              onChange={(next) =>
                void navigate({
                  search: { ...search, show: next === 'all' ? 'all' : undefined },
                  replace: true,
                })
              }
              data={[
                { value: 'active', label: t({ message: 'Active', context: 'keys' }) },
                { value: 'all', label: t({ message: 'All', context: 'keys' }) },
              ]}
            />
            <OrderSelect
              first={t`Newest first`}
              orders={ORDERS}
              value={sort}
              onChange={(next) =>
                void navigate({
                  search: { ...search, sort: next },
                  replace: true,
                })
              }
            />
          </Group>
        )}
        <Panel flush>
          {keys.error !== null && all === null ? (
            <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
          ) : all !== null && shown?.length === 0 ? (
            <NoKeys ended={all.length} action={all.length === 0 ? createButton : undefined} />
          ) : (
            <KeysTable keys={shown} onAction={(name, apiKey) => action.open({ action: name, apiKey })} />
          )}
        </Panel>
        <GoodPractice />
      </Stack>
      <CreateKey key={`create ${create.openCount}`} dialog={create} />
      {action.subject && <KeyDialog key={`key ${action.openCount}`} dialog={action} {...action.subject} />}
    </>
  );
}

interface NoKeysProps {
  /** Number of keys that do not work any more. */
  readonly ended: number;
  readonly action: ReactNode;
}

function NoKeys({ ended, action }: NoKeysProps) {
  return (
    <EmptyState icon={IconKey} title={ended === 0 ? t`No keys yet` : t`No active keys`} action={action}>
      <Trans>
        Your code sends a key with every request. Create one, store it in an environment variable, and send it
        in the header <code className="mono">Authorization: Api-Key &lt;key&gt;</code>.
      </Trans>{' '}
      {ended > 0 && <Trans>Revoked and expired keys are under “All”.</Trans>}
    </EmptyState>
  );
}

const ADVICE: readonly (readonly [icon: Icon, title: string, text: string])[] = [
  [
    IconKey,
    t`One key per environment`,
    t`Separate development from production, so that each can be limited, monitored or revoked alone.`,
  ],
  [
    IconRotate,
    t`Rotate regularly`,
    t`The new key has the same settings, and both work for up to 24 hours: no downtime.`,
  ],
  [
    IconLock,
    t`Never in version control`,
    t`Read the key from an environment variable or a secret store, and keep it out of logs.`,
  ],
];

function GoodPractice() {
  return (
    <Panel title={t`Good practice`}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
        {ADVICE.map(([AdviceIcon, title, text]) => (
          <div key={title} className={classes.advice}>
            <AdviceIcon size={18} />
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </div>
        ))}
      </SimpleGrid>
    </Panel>
  );
}
