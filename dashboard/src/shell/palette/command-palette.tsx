import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Modal, TextInput, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useUser } from '../../api/session.ts';
import { IconDevice, IconMoon, IconSearch, IconSignOut, IconSun } from '../../ui/icons.tsx';
import { VERBATIM } from '../../ui/input-props.ts';
import type { EarlyKeys } from '../early-keys.ts';
import type { NavItem } from '../nav-list.tsx';
import { recentItems } from '../recent-items.ts';
import { useLeave } from '../use-leave.ts';
import classes from './command-palette.module.css';
import { type Destination, destinationsFor, urlInText } from './destinations.ts';
import { useFound } from './use-found.ts';

interface CommandPaletteProps {
  /** The pages of the sidebar. */
  readonly items: readonly NavItem[];
  readonly opened: boolean;
  readonly onClose: () => void;
  /** What was typed before the field had the focus. */
  readonly takeEarlyKeys: () => EarlyKeys;
}

/**
 * Navigation by keyboard: to pages, actions, sites, jobs and all else with a name by a part of it, to the documentation by its
 * headings, to a record by its ID, and to the scrapes of a host or the playground with a URL.
 */
export function CommandPalette({ items, opened, onClose, takeEarlyKeys }: CommandPaletteProps) {
  // Here, because signing out goes on when the dialog is closed.
  const commands = useCommands();
  // Opened again while it closes, it begins anew: the field that has the focus would not get it, and so not what was typed early.
  const [openings, setOpenings] = useState(0);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setOpenings(openings + 1);
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t`Go to`} centered={false} yOffset="12vh">
      <Search
        key={openings}
        items={items}
        commands={commands}
        onDone={onClose}
        takeEarlyKeys={takeEarlyKeys}
      />
    </Modal>
  );
}

interface SearchProps extends Pick<CommandPaletteProps, 'items' | 'takeEarlyKeys'> {
  readonly commands: readonly Destination[];
  readonly onDone: () => void;
}

function Search({ items, commands, onDone, takeEarlyKeys }: SearchProps) {
  const [text, setText] = useState('');
  // Index of the selected destination.
  const [active, setActive] = useState(0);
  // Enter was pressed before anything was found.
  const [isWaiting, setWaiting] = useState(false);
  const user = useUser();
  const router = useRouter();
  const listId = useId();
  const known = { items, user, commands, recent: recentItems(user.id) };
  const local = destinationsFor(text, known);
  const found = useFound(text, user);
  const typedHost = urlInText(text.trim())?.host;
  const destinations = [
    ...local,
    // That of the typed host is among those above.
    ...found.destinations.filter(({ host }) => host === undefined || host !== typedHost),
  ];
  const optionId = (index: number) => `${listId}-${index}`;
  const goTo = (destination: Destination | undefined) => {
    if (destination === undefined) return;
    onDone();
    if (destination.run !== undefined) destination.run();
    else if (destination.href !== undefined) window.open(destination.href, '_blank', 'noopener');
    else if (destination.link !== undefined) void router.navigate(destination.link);
  };
  const first = destinations[0];
  const goToFirst = useEffectEvent(() => {
    setWaiting(false);
    goTo(first);
  });
  useEffect(() => {
    if (isWaiting && !found.isSearching) goToFirst();
  }, [isWaiting, found.isSearching]);
  const onFocus = () => {
    const early = takeEarlyKeys();
    if (early.text !== '') setText(text + early.text);
    if (!early.entered) return;
    const [destination] = destinationsFor(early.text, known);
    if (destination === undefined) setWaiting(true);
    else goTo(destination);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const next = (active + step + destinations.length) % Math.max(1, destinations.length);
      setActive(next);
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key !== 'Enter') return;
    else if (destinations.length === 0) setWaiting(found.isSearching);
    else goTo(destinations[active]);
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        role="combobox"
        aria-label={t`Name, host or record ID`}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={destinations.length === 0 ? undefined : optionId(active)}
        aria-autocomplete="list"
        placeholder={t`Name, host or record ID`}
        leftSection={<IconSearch size={16} />}
        data-autofocus
        {...VERBATIM}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
          setWaiting(false);
        }}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      />
      <div id={listId} role="listbox" aria-label={t`Destinations`} className={classes.list}>
        {destinations.map(({ label, kind, icon: Icon }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: names are not unique
            key={index}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={classes.option}
            onMouseMove={() => setActive(index)}
            onClick={() => goTo(destinations[index])}
          >
            <Icon size={16} />
            <span title={label}>{label}</span>
            {kind !== undefined && <small>{kind}</small>}
          </div>
        ))}
      </div>
      {text === '' && (
        <p className={`${classes.none} ${classes.keys}`}>
          <Trans>
            On any page, <kbd>?</kbd> shows the keyboard shortcuts.
          </Trans>
        </p>
      )}
      {destinations.length === 0 && (
        <p className={classes.none} role="status">
          {found.isSearching ? (
            <Trans>Searching…</Trans>
          ) : (
            <Trans>
              Nothing found. Type a part of a name or a host, the ID of a record, or a word of the
              documentation.
            </Trans>
          )}
        </p>
      )}
      {found.error !== null && (
        <p className={classes.none} role="alert">
          <Trans>Not everything could be searched.</Trans>{' '}
          <Button variant="default" size="compact-xs" onClick={found.retry}>
            <Trans>Try again</Trans>
          </Button>
        </p>
      )}
    </>
  );
}

/** What is done at once. */
function useCommands(): readonly Destination[] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme() === 'dark';
  const { leave } = useLeave();
  const theme = t`theme dark light color scheme`;
  return [
    {
      label: isDark ? t`Switch to the light theme` : t`Switch to the dark theme`,
      icon: isDark ? IconSun : IconMoon,
      run: () => setColorScheme(isDark ? 'light' : 'dark'),
      keywords: theme,
    },
    ...(colorScheme === 'auto'
      ? []
      : [
          {
            label: t`Use the theme of the system`,
            icon: IconDevice,
            run: () => setColorScheme('auto'),
            keywords: theme,
          },
        ]),
    { label: t`Sign out`, icon: IconSignOut, run: leave, keywords: t`log out leave` },
  ];
}
