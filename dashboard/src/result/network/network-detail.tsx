import { Tabs } from '@mantine/core';
import { Suspense } from 'react';
import { lazyComponent } from '../../app/lazy.ts';
import { PageSkeleton } from '../../ui/page-state.tsx';
import { HexView } from '../content/hex-view.tsx';
import { HeaderTable } from '../header-table.tsx';
import { languageOf, type NetworkEntry } from './network-entry.ts';
import classes from './network-panel.module.css';

const SourceView = lazyComponent(() => import('../content/source-view.tsx'), 'SourceView');

interface NetworkDetailProps {
  readonly entry: NetworkEntry;
  readonly place: number;
}

export function NetworkDetail({ entry, place }: NetworkDetailProps) {
  const came = Object.entries(entry.headers);
  const sent = Object.entries(entry.request_headers);
  return (
    <Tabs defaultValue={entry.body === null ? 'came' : 'body'} keepMounted={false}>
      <Tabs.List px={10} aria-label={`Request ${place}`}>
        <Tabs.Tab value="body">Body</Tabs.Tab>
        <Tabs.Tab value="came">Response headers ({came.length})</Tabs.Tab>
        <Tabs.Tab value="sent">Sent headers ({sent.length})</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="body">
        <Body entry={entry} place={place} />
      </Tabs.Panel>
      <Tabs.Panel value="came" pt="sm">
        <HeaderTable caption={`Response headers of request ${place}`} headers={came} none="None." />
      </Tabs.Panel>
      <Tabs.Panel value="sent" pt="sm">
        <HeaderTable caption={`Sent headers of request ${place}`} headers={sent} none="None recorded." />
      </Tabs.Panel>
    </Tabs>
  );
}

function Body({ entry, place }: NetworkDetailProps) {
  const { body, body_encoding: encoding, truncated } = entry;
  if (body === null) return <p className={classes.note}>{absence(entry)}</p>;
  if (body === '') return <p className={classes.note}>The body is empty.</p>;
  return (
    <>
      {truncated && <p className={classes.note}>The body was cut; this is the beginning.</p>}
      {encoding === 'base64' ? (
        <HexView base64={body} />
      ) : (
        <Suspense fallback={<PageSkeleton />}>
          <SourceView text={body} language={languageOf(entry)} label={`the body of request ${place}`} />
        </Suspense>
      )}
    </>
  );
}

const absence = ({ status, truncated }: NetworkEntry): string => {
  if (status === null) return 'No response.';
  return truncated
    ? 'The body was too large to store with the others.'
    : 'There is none, it did not arrive, or the request did not capture it (capture[].body).';
};
