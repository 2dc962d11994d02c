import { t } from '@lingui/core/macro';
import { Select, TextInput } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { VERBATIM } from '../../../ui/input-props.ts';
import { useField, useRequestForm } from './form-context.ts';
import classes from './url-bar.module.css';

interface UrlBarProps {
  /** Disables the fields, but not the actions. */
  readonly disabled: boolean;
  readonly onEnter: () => void;
  /** A curl command was pasted. */
  readonly onCurl: (command: string) => void;
  readonly actions: ReactNode;
  readonly urlRef: Ref<HTMLInputElement>;
}

/** Whether a text is a curl command rather than a URL. */
export const isCurl = (text: string): boolean => /^\s*\$?\s*curl\s/.test(text);

/** Method and URL, with the actions. */
export function UrlBar({ disabled, onEnter, onCurl, actions, urlRef }: UrlBarProps) {
  const { support } = useRequestForm();
  const url = useField(['url']);
  const method = useField(['method']);
  const methods = support.scraper?.capabilities.methods ?? ['GET'];
  const shown = typeof method.value === 'string' ? method.value : 'GET';
  return (
    <div className={classes.bar}>
      <fieldset disabled={disabled} className={classes.fields} aria-label={t`Target`}>
        <Select
          aria-label={t`Method`}
          className={classes.method}
          classNames={{ input: classes.methodInput }}
          data={methods.includes(shown) ? methods : [shown, ...methods]}
          value={shown}
          onChange={(next) => method.set(next === 'GET' || next === null ? undefined : next)}
          error={method.error}
          data-pointer={method.pointer}
          comboboxProps={{ width: 140, position: 'bottom-start' }}
        />
        <TextInput
          ref={urlRef}
          aria-label={t`URL`}
          className={classes.url}
          classNames={{ input: 'mono' }}
          placeholder={t`URL or curl command`}
          inputMode="url"
          value={typeof url.value === 'string' ? url.value : ''}
          onChange={({ currentTarget }) => url.set(currentTarget.value)}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text/plain');
            if (!isCurl(text)) return;
            event.preventDefault();
            onCurl(text);
          }}
          onKeyDown={(event) => {
            // The page handles Enter with Ctrl or Meta.
            if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) onEnter();
          }}
          error={url.error}
          data-pointer={url.pointer}
          {...VERBATIM}
          autoCapitalize="off"
        />
      </fieldset>
      <div className={classes.actions}>{actions}</div>
    </div>
  );
}
