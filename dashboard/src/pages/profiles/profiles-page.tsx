import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Profile, profilesQuery, useDeleteProfile } from '../../api/profiles.ts';
import { seesAllUsers, useCanChange, useUser } from '../../api/session.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { ConfirmDialog, type DialogState, FormDrawer, useDialog } from '../../ui/dialog.tsx';
import { formatBytes } from '../../ui/format.ts';
import { IconAlert, IconCircleCheck, IconHalf, IconUser } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Look, StatePill } from '../../ui/pill.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { ProfileDrawer, type ProfileSubject } from './profile-form.tsx';
import { ProfileUses } from './profile-uses.tsx';

const STATES: Readonly<Record<Profile['state'], Look>> = {
  ready: [t`Ready`, 'green', IconCircleCheck],
  logged_out: [t`Logged out`, 'red', IconAlert],
  empty: [t`Empty`, 'slate', IconHalf],
};

/** Log-ins that are used again: without their values. */
export function ProfilesPage() {
  const user = useUser();
  const ofAll = seesAllUsers(user);
  const { data, error, refetch } = useQuery(profilesQuery(ofAll ? 'all' : null));
  const form = useDialog<ProfileSubject>();
  const uses = useDialog<Profile>();
  const removal = useDialog<Profile>();
  const canChange = useCanChange();
  const usedName = uses.subject?.name ?? '';
  return (
    <>
      <PageHeader
        title={t`Profiles`}
        description={
          <Trans>
            Log in once: cookies and storage of sites, for scrapes with{' '}
            <code className="mono">scraper_options.profile</code>.{' '}
            <Anchor href={`${BASE_PATH}/docs/guides/profiles`} underline="always" inherit>
              Guide
            </Anchor>
          </Trans>
        }
        actions={
          <ChangersOnly>
            <Button onClick={() => form.open({ profile: null })}>
              <Trans>Add a profile</Trans>
            </Button>
          </ChangersOnly>
        }
      />
      <Panel title={ofAll ? t`Profiles of all users` : t`Your profiles`} flush>
        {error !== null && data === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : data?.items.length === 0 ? (
          <EmptyState icon={IconUser} title={t`No profiles yet`} level={3}>
            {canChange ? (
              <Trans>
                Add the cookies of a site where you are logged in. Scrapes, jobs and monitors can then be
                logged in, too.
              </Trans>
            ) : (
              <Trans>Each profile belongs to the user who added it. A viewer cannot add profiles.</Trans>
            )}
          </EmptyState>
        ) : (
          <ProfilesTable
            items={data?.items ?? null}
            ofAll={ofAll}
            form={form}
            uses={uses}
            removal={removal}
          />
        )}
      </Panel>
      <ProfileDrawer dialog={form} />
      <FormDrawer dialog={uses} title={t`Where “${usedName}” is used`}>
        {({ name }) => <ProfileUses name={name} />}
      </FormDrawer>
      {removal.subject !== null && <RemovalDialog dialog={removal} profile={removal.subject} />}
    </>
  );
}

interface ProfilesTableProps {
  /** null: loading. */
  readonly items: readonly Profile[] | null;
  /** Those of all users: their owners are shown. */
  readonly ofAll: boolean;
  readonly form: DialogState<ProfileSubject>;
  /** Where one is used. */
  readonly uses: DialogState<Profile>;
  readonly removal: DialogState<Profile>;
}

function ProfilesTable({ items, ofAll, form, uses, removal }: ProfilesTableProps) {
  const user = useUser();
  return (
    <DataTable
      caption={t`Profiles, newest first`}
      columns={[
        {
          label: t`Name`,
          lead: true,
          minWidth: '9rem',
          cell: ({ name, sites }) => (
            <>
              <div>{name}</div>
              <small>{sites.join(', ')}</small>
            </>
          ),
        },
        { label: t`State`, cell: ({ state }) => <StatePill look={STATES[state]} /> },
        ofAll || items?.some(({ owner }) => owner.id !== user.id) === true
          ? {
              label: t`Owner`,
              wide: true,
              lead: true,
              minWidth: '9rem',
              cell: ({ owner }) => owner.email ?? owner.id,
            }
          : false,
        {
          label: t`Content`,
          wide: true,
          nowrap: true,
          cell: ({ cookies, size_bytes: bytes }) =>
            `${plural(cookies, { one: '# cookie', other: '# cookies' })}, ${formatBytes(bytes)}`,
        },
        {
          label: t`Renewed`,
          wide: true,
          numeric: true,
          cell: ({ refreshed_at: at }) => <DateTime at={at} as="relative" />,
        },
        {
          label: t`Last used`,
          wide: true,
          numeric: true,
          cell: ({ used_at: at }) => <DateTime at={at} as="relative" fallback={t`Never`} />,
        },
        {
          label: t`Expires`,
          wide: true,
          numeric: true,
          cell: ({ expires_at: at }) => <DateTime at={at} as="relative" fallback={t`Never`} />,
        },
        {
          label: t`Actions`,
          hidden: true,
          width: '1%',
          cell: (profile) => <ProfileMenu profile={profile} form={form} uses={uses} removal={removal} />,
        },
      ]}
      rows={items}
      rowKey={({ name, owner }) => `${owner.id} ${name}`}
      skeletonRows={3}
    />
  );
}

function ProfileMenu({
  profile,
  form,
  uses,
  removal,
}: Pick<ProfilesTableProps, 'form' | 'uses' | 'removal'> & { profile: Profile }) {
  const { id, role } = useUser();
  const isOwn = profile.owner.id === id;
  // Administrators may end profiles of others, and cannot change them.
  if (role === 'viewer' || (!isOwn && role !== 'admin')) return null;
  return (
    <RowMenu
      label={t`Actions for ${profile.name}`}
      actions={[
        isOwn && { label: t`Renew or edit`, onClick: () => form.open({ profile }) },
        isOwn && { label: t`Where it is used`, onClick: () => uses.open(profile) },
        { label: t`Delete`, color: 'red', onClick: () => removal.open(profile) },
      ]}
    />
  );
}

interface RemovalDialogProps {
  readonly dialog: DialogState<Profile>;
  readonly profile: Profile;
}

function RemovalDialog({ dialog, profile }: RemovalDialogProps) {
  const { id } = useUser();
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Delete “${profile.name}”?`}
      confirmLabel={t`Delete the profile`}
      danger
      action={useDeleteProfile()}
      input={profile}
      done={t`The profile is deleted.`}
    >
      <Trans>
        Its cookies and its storage are deleted. Scrapes, jobs and monitors that name it will fail. This
        cannot be undone.
      </Trans>
      {profile.owner.id === id && <ProfileUses name={profile.name} />}
    </ConfirmDialog>
  );
}
