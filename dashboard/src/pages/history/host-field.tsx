import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { IconSearch } from '../../ui/icons.tsx';
import classes from './history.module.css';

interface HostFieldProps {
  readonly host: string | undefined;
  readonly onChange: (host: string | undefined) => void;
}

/** Takes effect with Enter, or when it is left. A whole address will do: its host is what counts. */
export function HostField({ host, onChange }: HostFieldProps) {
  const [text, setText] = useState(host ?? '');
  const [seen, setSeen] = useState(host);
  if (host !== seen) {
    // Taken off, or another one: by this field or elsewhere.
    setSeen(host);
    setText(host ?? '');
  }
  const apply = () => {
    const wanted = hostOf(text);
    if (wanted !== host) onChange(wanted);
  };
  return (
    <TextInput
      size="xs"
      aria-label="Host"
      placeholder="Host, such as example.com"
      leftSection={<IconSearch size={14} />}
      className={classes.host}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply();
      }}
    />
  );
}

function hostOf(text: string): string | undefined {
  const given = text.trim();
  if (given === '') return undefined;
  const url = URL.parse(given.includes('://') ? given : `http://${given}`);
  return url === null ? given : url.hostname;
}
