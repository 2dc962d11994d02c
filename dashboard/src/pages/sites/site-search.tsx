import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { IconSearch } from '../../ui/icons.tsx';
import classes from './sites.module.css';

interface SiteSearchProps {
  readonly host: string | undefined;
  readonly onChange: (host: string | undefined) => void;
}

/** A whole address will do: its host, with the port, is what counts. */
export function SiteSearch({ host, onChange }: SiteSearchProps) {
  const [text, setText] = useState(host ?? '');
  return (
    <form
      className={classes.search}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(siteOf(text));
      }}
    >
      <TextInput
        type="search"
        aria-label="Host or URL"
        placeholder="Host or URL, such as example.com"
        leftSection={<IconSearch size={16} />}
        className={classes.host}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        Show
      </Button>
    </form>
  );
}

function siteOf(text: string): string | undefined {
  const given = text.trim();
  if (given === '') return undefined;
  const url = URL.parse(given.includes('://') ? given : `http://${given}`);
  return url === null || url.host === '' ? given : url.host;
}
