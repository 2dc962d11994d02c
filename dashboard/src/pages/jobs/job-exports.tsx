import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Export, jobExportsQuery } from '../../api/jobs.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatBytes } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Until } from './job-waiting.tsx';

/** The files of the results that were made or sent, also those of a schedule. Renders nothing if there are none. */
export function JobExportsPanel({ id }: { readonly id: string }) {
  const { data, error } = useQuery(jobExportsQuery(id));
  if (error !== null) return <ErrorNotice error={error} title={t`The exports could not be read`} />;
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Panel title={t`Exports`} description={t`Files of the results, newest first.`} flush>
      <DataTable
        caption={t`Exports, newest first`}
        columns={[
          { label: t`Created`, cell: ({ created_at }) => <DateTime at={created_at} /> },
          { label: t`Format`, cell: ({ format }) => EXPORT_FORMATS[format] },
          { label: t`State`, cell: (sent) => <ExportState sent={sent} /> },
        ]}
        rows={data.items}
        rowKey={(sent) => sent.id}
        skeletonRows={1}
      />
    </Panel>
  );
}

const EXPORT_FORMATS: Readonly<Record<Export['format'], string>> = {
  csv: 'CSV',
  xlsx: t`Excel (XLSX)`,
  jsonl: 'JSON Lines',
};

const EXPORT_TEXTS: Readonly<Record<Export['state'], string>> = {
  pending: t`Waiting`,
  sending: t`Sending`,
  done: t`Sent`,
  failed: t`Failed`,
};

/** How far an export is, or a link to its file. */
export function ExportState({ sent }: { readonly sent: Export | null }) {
  if (sent === null) return '–';
  const { state, url, error, bytes, sent_to, next_try_at } = sent;
  if (url !== null)
    return (
      <Anchor href={url} size="sm">
        <Trans>Download</Trans>
      </Anchor>
    );
  const tone = state === 'done' ? 'green' : state === 'failed' ? 'red' : 'slate';
  return (
    <>
      <Pill tone={tone}>{EXPORT_TEXTS[state]}</Pill>
      {error !== null && <small>{error.message}</small>}
      {next_try_at !== null && (
        <small>
          <Trans>
            Next try <Until at={next_try_at} />
          </Trans>
        </small>
      )}
      {state === 'done' && sent_to !== null && (
        <small>
          {sent_to}
          {bytes !== null && ` (${formatBytes(bytes)})`}
        </small>
      )}
    </>
  );
}
