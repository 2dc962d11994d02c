import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Schema } from '../api/client.ts';
import { DataTable } from '../ui/data-table.tsx';
import { formatUtc } from '../ui/format.ts';
import { IconSearch } from '../ui/icons.tsx';
import { Panel } from '../ui/panel.tsx';
import classes from './headers-panel.module.css';
import type { AnyScrape } from './scrape.ts';

/** Response and request headers. */
export function HeadersPanel({ scrape }: { readonly scrape: AnyScrape }) {
  const received = Object.entries(scrape.headers);
  const sent = Object.entries(scrape.router.request_headers);
  if (received.length === 0 && sent.length === 0) return null;
  return (
    <Panel title={t`Headers`} flush>
      <Tabs defaultValue={received.length === 0 ? 'sent' : 'received'} keepMounted={false}>
        <Tabs.List px={10} aria-label={t`Headers`}>
          <Tabs.Tab value="received">
            <Trans>Response ({received.length})</Trans>
          </Tabs.Tab>
          <Tabs.Tab value="sent">
            <Trans>Sent ({sent.length})</Trans>
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="received" pt="sm">
          <HeaderTable
            caption={t`Response headers`}
            headers={received}
            none={t`The site sent no headers, or they were not stored.`}
          />
        </Tabs.Panel>
        <Tabs.Panel value="sent" pt="sm">
          <HeaderTable caption={t`Sent headers`} headers={sent} none={t`None sent, or not recorded.`} />
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
}

/** A table with at least this number of headers has a search field. */
const SEARCHABLE_FROM = 10;

interface HeaderTableProps {
  readonly caption: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Shown instead of an empty table. */
  readonly none: string;
}

export function HeaderTable({ caption, headers, none }: HeaderTableProps) {
  const [query, setQuery] = useState('');
  if (headers.length === 0) return <p className={classes.none}>{none}</p>;
  const text = query.trim().toLowerCase();
  const shown = headers.filter(([name, value]) => name.includes(text) || value.toLowerCase().includes(text));
  return (
    <>
      {headers.length >= SEARCHABLE_FROM && (
        <div className={classes.search}>
          <TextInput
            size="xs"
            aria-label={t`Search in “${caption}”`}
            placeholder={t`Search names and values`}
            leftSection={<IconSearch size={14} />}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        </div>
      )}
      {shown.length === 0 ? (
        <p className={classes.none} role="status">
          <Trans>No header contains “{query.trim()}”.</Trans>
        </p>
      ) : (
        <DataTable
          caption={caption}
          columns={[
            { label: t`Name`, className: classes.name, cell: ([name]) => name },
            {
              label: t`Value`,
              className: classes.value,
              cell: ([, value]) =>
                value.split('\n').map((line, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key
                  <div key={index}>{line}</div>
                )),
            },
          ]}
          rows={shown}
          rowKey={([name]) => name}
        />
      )}
    </>
  );
}

/** The cookies that the target set. Renders nothing if there are none. */
export function CookiesPanel({ cookies }: { readonly cookies: readonly Schema<'Cookie'>[] }) {
  if (cookies.length === 0) return null;
  return (
    <Panel title={t`Cookies`} description={t`Set by the site during this scrape.`} flush>
      <DataTable
        caption={t`Cookies set by the site`}
        columns={[
          { label: t`Name`, className: classes.name, cell: ({ name }) => name },
          { label: t`Value`, className: classes.value, cell: ({ value }) => value },
          {
            label: t`Domain and path`,
            className: classes.value,
            cell: ({ domain, path }) => `${domain}${path}`,
          },
          { label: t`Expires`, className: classes.plain, cell: ({ expires }) => expiryOf(expires) },
          { label: t`Flags`, className: classes.plain, cell: flagsOf },
        ]}
        rows={cookies}
        rowKey={({ name, domain, path }) => `${name} ${domain} ${path}`}
      />
    </Panel>
  );
}

/** @param expires seconds since the epoch; may be outside the range of dates */
function expiryOf(expires: number | null): string {
  if (expires === null) return t`with the session`;
  const at = new Date(expires * 1000);
  return Number.isNaN(at.getTime()) ? t`never` : formatUtc(at.toISOString());
}

function flagsOf({ secure, http_only, same_site }: Schema<'Cookie'>): string {
  const flags = [
    secure ? t`Secure` : '',
    http_only ? 'HttpOnly' : '',
    same_site === null ? '' : `SameSite=${same_site}`,
  ];
  return flags.filter((flag) => flag !== '').join(', ') || '–';
}
