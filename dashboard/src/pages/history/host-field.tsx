import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { hostText } from '../../ui/host-text.ts';
import { IconSearch } from '../../ui/icons.tsx';
import classes from './history.module.css';

interface HostFieldProps {
  readonly host: string | undefined;
  readonly onChange: (host: string | undefined) => void;
}

/** How long after the last letter the list is filtered. */
const PAUSE_MS = 300;

/** Filters while one types, by any part of the host. Of a whole URL it is that very host. */
export function HostField({ host, onChange }: HostFieldProps) {
  const [text, setText] = useState(partOf(host));
  const [seen, setSeen] = useState(host);
  const [own, setOwn] = useState(host);
  if (host !== seen) {
    setSeen(host);
    // Taken off, or another one, elsewhere: what is being typed here stays.
    if (host !== own) setText(partOf(host));
  }
  const wanted = hostOf(text);
  const apply = () => {
    if (wanted === host || text.trim() === partOf(host)) return;
    setOwn(wanted);
    onChange(wanted);
  };
  const settle = () => {
    apply();
    setText(partOf(wanted));
  };
  const latest = useRef(apply);
  latest.current = apply;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), text === '' ? 0 : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextInput
      size="xs"
      aria-label="Host"
      placeholder="Filter by host"
      leftSection={<IconSearch size={14} />}
      className={classes.host}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle();
      }}
    />
  );
}

/** What is shown of a filter. */
const partOf = (host: string | undefined): string => hostText(host?.replaceAll('*', '') ?? '');

function hostOf(text: string): string | undefined {
  const given = text.trim();
  if (given === '') return undefined;
  const url = URL.parse(given.includes('://') ? given : `http://${given}`);
  const name = url === null ? given.toLowerCase() : url.hostname;
  if (given.includes('://')) return name;
  // With a port it is that of one site.
  return given.includes('*') || (url !== null && url.port !== '') ? given : `*${name}*`;
}
