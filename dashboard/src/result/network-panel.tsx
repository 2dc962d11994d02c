import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Tabs, UnstyledButton } from '@mantine/core';
import { Suspense, useId, useState } from 'react';
import type { Schema } from '../api/client.ts';
import { lazyComponent } from '../app/lazy.ts';
import { DataTable } from '../ui/data-table.tsx';
import { formatBytes } from '../ui/format.ts';
import { urlText } from '../ui/host-text.ts';
import { IconChevronDown, IconChevronRight } from '../ui/icons.tsx';
import { PageSkeleton } from '../ui/page-state.tsx';
import { Panel } from '../ui/panel.tsx';
import type { Language } from './content/content-kind.ts';
import { HexView } from './content/hex-view.tsx';
import { HeaderTable } from './headers-panel.tsx';
import classes from './network-panel.module.css';
import type { AnyScrape } from './scrape.ts';

/** The exchanges of the page that `capture` of the request selected. Renders nothing without `capture`. */
export function NetworkPanel({ scrape }: { readonly scrape: AnyScrape }) {
  const { network } = scrape.scraper_data;
  if (network === undefined) return null;
  const description =
    network.length === 0
      ? t`No request of the page matched the capture rules.`
      : plural(network.length, {
          one: '# request of the page matched the capture rules.',
          other: '# requests of the page matched the capture rules.',
        });
  if (network.length === 0)
    return (
      <Panel title={t`Network`} description={description}>
        {null}
      </Panel>
    );
  return (
    <Panel title={t`Network`} description={description} flush>
      <DataTable
        caption={t`What the page loaded`}
        columns={[
          t`Request`,
          { label: t`Status`, numeric: true },
          { label: t`Type`, wide: true },
          { label: t`Body`, wide: true, numeric: true },
        ]}
      >
        {network.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page may load the same URL twice
          <NetworkRow key={index} entry={entry} number={index + 1} />
        ))}
      </DataTable>
    </Panel>
  );
}

interface NetworkRowProps {
  readonly entry: NetworkEntry;
  /** Counted from 1. */
  readonly number: number;
}

/** A row that can be expanded to show request and response. */
function NetworkRow({ entry, number }: NetworkRowProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const ToggleIcon = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      <tr>
        <td className={classes.request}>
          <UnstyledButton
            className={classes.toggle}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
          >
            <ToggleIcon size={14} />
            <span className={classes.url} dir="ltr">
              <b>{entry.method}</b> {urlText(entry.url)}
            </span>
          </UnstyledButton>
        </td>
        <td data-numeric>{entry.status ?? '–'}</td>
        <td data-wide>{entry.resource_type}</td>
        <td data-numeric data-wide>
          {entry.truncated ? t`${formatBytes(bodyBytes(entry))}, cut` : formatBytes(bodyBytes(entry))}
        </td>
      </tr>
      {open && (
        <tr id={id}>
          <td colSpan={4} className={classes.detail}>
            <NetworkDetail entry={entry} number={number} />
          </td>
        </tr>
      )}
    </>
  );
}

// Loaded lazily, because the parsers are larger than the rest of the page.
const SourceView = lazyComponent(() => import('./content/source-view.tsx'), 'SourceView');

interface NetworkDetailProps {
  readonly entry: NetworkEntry;
  readonly number: number;
}

function NetworkDetail({ entry, number }: NetworkDetailProps) {
  const received = Object.entries(entry.headers);
  const sent = Object.entries(entry.request_headers);
  return (
    <Tabs defaultValue={entry.body === null ? 'received' : 'body'} keepMounted={false}>
      <Tabs.List px={10} aria-label={t`Request ${number}`}>
        <Tabs.Tab value="body">
          <Trans>Body</Trans>
        </Tabs.Tab>
        <Tabs.Tab value="received">
          <Trans>Response headers ({received.length})</Trans>
        </Tabs.Tab>
        <Tabs.Tab value="sent">
          <Trans>Sent headers ({sent.length})</Trans>
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="body">
        <ResponseBody entry={entry} number={number} />
      </Tabs.Panel>
      <Tabs.Panel value="received" pt="sm">
        <HeaderTable caption={t`Response headers of request ${number}`} headers={received} none={t`None.`} />
      </Tabs.Panel>
      <Tabs.Panel value="sent" pt="sm">
        <HeaderTable caption={t`Sent headers of request ${number}`} headers={sent} none={t`None recorded.`} />
      </Tabs.Panel>
    </Tabs>
  );
}

function ResponseBody({ entry, number }: NetworkDetailProps) {
  const { body, body_encoding: encoding, truncated } = entry;
  if (body === null) return <p className={classes.note}>{noBodyText(entry)}</p>;
  if (body === '')
    return (
      <p className={classes.note}>
        <Trans>The body is empty.</Trans>
      </p>
    );
  return (
    <>
      {truncated && (
        <p className={classes.note}>
          <Trans>The body was cut; this is the beginning.</Trans>
        </p>
      )}
      {encoding === 'base64' ? (
        <HexView base64={body} />
      ) : (
        <Suspense fallback={<PageSkeleton />}>
          <SourceView text={body} language={languageOf(entry)} label={t`the body of request ${number}`} />
        </Suspense>
      )}
    </>
  );
}

const noBodyText = ({ status, truncated }: NetworkEntry): string => {
  if (status === null) return t`No response.`;
  return truncated
    ? t`The body was too large to store with the others.`
    : t`There was no body, it did not arrive, or the request did not capture it (capture[].body).`;
};

type NetworkEntry = Schema<'CapturedExchange'>;

/** Stored bytes of the body; null: it was not requested, or there was none. */
function bodyBytes({ body, body_encoding }: NetworkEntry): number | null {
  if (body === null) return null;
  if (body_encoding !== 'base64') return new Blob([body]).size;
  const padding = body.endsWith('==') ? 2 : body.endsWith('=') ? 1 : 0;
  return (body.length / 4) * 3 - padding;
}

const LANGUAGES: readonly (readonly [pattern: RegExp, language: Language])[] = [
  [/[/+]json\b/, 'json'],
  [/^text\/html|xhtml\+xml/, 'html'],
  [/[/+]xml\b/, 'xml'],
  [/^text\/css/, 'css'],
  [/(java|ecma)script/, 'javascript'],
];

/** The language by the Content-Type of the response. */
function languageOf({ headers }: NetworkEntry): Language | null {
  const type = (headers['content-type'] ?? '').toLowerCase();
  return LANGUAGES.find(([pattern]) => pattern.test(type))?.[1] ?? null;
}
