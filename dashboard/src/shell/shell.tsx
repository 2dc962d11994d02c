import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import '@mantine/notifications/styles.layer.css';
import { ActionIcon } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { Link, Outlet } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useIsSameUser, usePolledUser, useUser } from '../api/session.ts';
import { loadChunk } from '../app/lazy.ts';
import { LimitMeter } from '../ui/figure.tsx';
import { formatCount } from '../ui/format.ts';
import { IconMenu, IconSearch, Logo } from '../ui/icons.tsx';
import { PageSkeleton } from '../ui/page-state.tsx';
import { AccountButton } from './account-button.tsx';
import { Bell } from './bell.tsx';
import { useEarlyKeys } from './early-keys.ts';
import { NavList, navItems } from './nav-list.tsx';
import { useRecentItems } from './recent-items.ts';
import classes from './shell.module.css';
import { setShortcutsEnabled, usePageShortcuts, useShortcuts, useShortcutsEnabled } from './shortcuts.ts';

const CommandPalette = lazy(async () => {
  const { CommandPalette } = await loadChunk(() => import('./palette/command-palette.tsx'));
  return { default: CommandPalette };
});
const ShortcutsDialog = lazy(async () => {
  const { ShortcutsDialog } = await loadChunk(() => import('./shortcuts-dialog.tsx'));
  return { default: ShortcutsDialog };
});
const NotificationsDrawer = lazy(async () => {
  const { NotificationsDrawer } = await loadChunk(() => import('./notifications-drawer.tsx'));
  return { default: NotificationsDrawer };
});
const MenuDrawer = lazy(async () => {
  const { MenuDrawer } = await loadChunk(() => import('./menu-drawer.tsx'));
  return { default: MenuDrawer };
});

const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

/** The frame of all pages that need a session. If another user has signed in, the page is reloaded, so that no state remains. */
export function Shell() {
  const isSameUser = useIsSameUser();
  useEffect(() => {
    if (!isSameUser) location.reload();
  }, [isSameUser]);
  return isSameUser ? <Frame /> : null;
}

function Frame() {
  const [opened, drawer] = useDisclosure(false);
  const [searching, search] = useDisclosure(false);
  const [showingShortcuts, shortcuts] = useDisclosure(false);
  const [showingNotifications, notifications] = useDisclosure(false);
  useHotkeys([['mod+K', search.open]], []);
  const user = useUser();
  useRecentItems(user.id);
  const pages = usePageShortcuts();
  const enabled = useShortcutsEnabled();
  useShortcuts(search.open, shortcuts.open);
  const takeEarlyKeys = useEarlyKeys(searching, search.close);
  return (
    <div className={classes.shell}>
      <Notifications position="bottom-right" limit={4} />
      <a className={classes.skip} href="#main">
        <Trans>Skip to the content</Trans>
      </a>
      <header className={classes.topBar}>
        <Brand />
        <ActionIcon size={38} ml="auto" onClick={search.open} aria-label={t`Go to a page, host or record`}>
          <IconSearch size={19} />
        </ActionIcon>
        <Bell opened={showingNotifications} onOpen={notifications.open} />
        <ActionIcon size={38} onClick={drawer.open} aria-label={t`Open the menu`} aria-expanded={opened}>
          <IconMenu size={20} />
        </ActionIcon>
      </header>
      <aside className={classes.sidebar} aria-label={t`Sidebar`}>
        <div className={classes.head}>
          <Brand />
          <Bell opened={showingNotifications} onOpen={notifications.open} />
        </div>
        <button type="button" className={classes.search} onClick={search.open}>
          <IconSearch size={15} />
          <Trans>
            Go to…
            <kbd>{SHORTCUT}</kbd>
          </Trans>
        </button>
        <NavList />
        <SidebarFooter />
      </aside>
      <FromFirstOpening opened={searching}>
        <CommandPalette
          items={navItems(user)}
          opened={searching}
          onClose={search.close}
          takeEarlyKeys={takeEarlyKeys}
        />
      </FromFirstOpening>
      <FromFirstOpening opened={showingShortcuts}>
        <ShortcutsDialog
          pages={pages}
          enabled={enabled}
          onEnable={setShortcutsEnabled}
          opened={showingShortcuts}
          onClose={shortcuts.close}
          searchKeys={SHORTCUT}
        />
      </FromFirstOpening>
      <FromFirstOpening opened={showingNotifications}>
        <NotificationsDrawer opened={showingNotifications} onClose={notifications.close} />
      </FromFirstOpening>
      <FromFirstOpening opened={opened}>
        <MenuDrawer opened={opened} onClose={drawer.close} title={<Brand />}>
          <NavList onFollow={drawer.close} />
          <SidebarFooter />
        </MenuDrawer>
      </FromFirstOpening>
      <main id="main" className={classes.main} tabIndex={-1}>
        <div className={classes.page}>
          <Suspense fallback={<PageSkeleton />}>
            <Outlet />
          </Suspense>
        </div>
      </main>
    </div>
  );
}

interface FromFirstOpeningProps {
  readonly opened: boolean;
  readonly children: ReactNode;
}

/** A dialog whose code is loaded when it is first opened. Afterwards it is kept, so that it can close, and give the focus back. */
function FromFirstOpening({ opened, children }: FromFirstOpeningProps) {
  const wasOpened = useRef(false);
  wasOpened.current ||= opened;
  return wasOpened.current && <Suspense fallback={null}>{children}</Suspense>;
}

function Brand() {
  return (
    <Link to="/" className={classes.brand} aria-label={t`Sluice, overview`}>
      <Logo size={26} />
      Sluice
    </Link>
  );
}

function SidebarFooter() {
  return (
    <div className={classes.foot}>
      <InFlightMeter />
      <AccountButton />
    </div>
  );
}

/** The user's requests in flight, and the limit. */
function InFlightMeter() {
  const { in_flight: now, concurrency } = usePolledUser();
  return (
    <div className={classes.meter}>
      <div className={classes.meterLabel}>
        <span>
          <Trans>In flight</Trans>
        </span>
        <span className={classes.count}>
          <Trans>
            <b>{formatCount(now)}</b> of {formatCount(concurrency)}
          </Trans>
        </span>
      </div>
      <LimitMeter label={t`In flight`} now={now} limit={concurrency} />
    </div>
  );
}
