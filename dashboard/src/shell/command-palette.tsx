import { Modal, TextInput } from '@mantine/core';
import { type NavigateOptions, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import type { User } from '../api/client.ts';
import { useUser } from '../api/session.ts';
import { hostText } from '../ui/host-text.ts';
import { type Icon, IconFile, IconGlobe, IconHistory, IconSearch, IconUser } from '../ui/icons.tsx';
import classes from './command-palette.module.css';
import { navItems } from './nav-list.tsx';

interface CommandPaletteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Navigation by keyboard: to a page by name, to a record by ID, to the scrapes or the knowledge of a host. */
export function CommandPalette({ opened, onClose }: CommandPaletteProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Go to" centered={false} yOffset="12vh">
      <Search onGone={onClose} />
    </Modal>
  );
}

function Search({ onGone }: { readonly onGone: () => void }) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const user = useUser();
  const router = useRouter();
  const list = useId();
  const destinations = destinationsFor(text, user);
  const idOf = (n: number) => `${list}-${n}`;
  const go = (n: number) => {
    const destination = destinations[n];
    if (destination === undefined) return;
    onGone();
    void router.navigate(destination.link);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined)
      setActive((active + step + destinations.length) % Math.max(1, destinations.length));
    else if (event.key === 'Enter') go(active);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        role="combobox"
        aria-label="Page, host or record ID"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={destinations.length === 0 ? undefined : idOf(active)}
        aria-autocomplete="list"
        placeholder="Page, host or record ID"
        leftSection={<IconSearch size={16} />}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label="Places" className={classes.list}>
        {destinations.map(({ label, icon: Icon }, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
          <div
            key={label}
            id={idOf(n)}
            role="option"
            tabIndex={-1}
            aria-selected={n === active}
            className={classes.option}
            onMouseMove={() => setActive(n)}
            onClick={() => go(n)}
          >
            <Icon size={16} />
            <span>{label}</span>
          </div>
        ))}
      </div>
      {destinations.length === 0 && (
        <p className={classes.none} role="status">
          Nothing found. Type the name of a page, a host such as example.com, or the ID of a record.
        </p>
      )}
    </>
  );
}

interface Destination {
  readonly label: string;
  readonly icon: Icon;
  readonly link: NavigateOptions;
}

/** The destinations for the typed text; all pages if it is empty. */
function destinationsFor(typed: string, user: User): readonly Destination[] {
  const text = typed.trim();
  const lowerCase = text.toLowerCase();
  const pages: readonly Destination[] = [
    ...navItems(user).map(({ to, label, icon }) => ({ label, icon, link: { to } as NavigateOptions })),
    { label: 'Account and sessions', icon: IconUser, link: { to: '/account' } },
  ];
  const matchingPages = pages.filter(({ label }) => label.toLowerCase().includes(lowerCase));
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(lowerCase))
    return [
      {
        label: `Record ${lowerCase}`,
        icon: IconFile,
        link: { to: '/history/$id', params: { id: lowerCase } },
      },
    ];
  const host = hostInText(text);
  if (host === null) return matchingPages;
  return [
    ...matchingPages,
    { label: `Scrapes of ${hostText(host)}`, icon: IconHistory, link: { to: '/history', search: { host } } },
    { label: `Site ${hostText(host)}`, icon: IconGlobe, link: { to: '/sites', search: { host } } },
  ];
}

/** The host of a URL, or a host with a dot or port, or `localhost`. */
function hostInText(text: string): string | null {
  if (!/[.:]|^localhost$/i.test(text)) return null;
  const host = URL.parse(text.includes('://') ? text : `http://${text}`)?.host ?? '';
  return host === '' ? null : host;
}
