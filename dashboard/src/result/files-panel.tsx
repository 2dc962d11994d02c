import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { DataTable } from '../ui/data-table.tsx';
import { formatBytes } from '../ui/format.ts';
import { IconDownload } from '../ui/icons.tsx';
import { Panel } from '../ui/panel.tsx';
import classes from './files-panel.module.css';
import { ownFileUrl } from './picture-url.ts';
import type { AnyScrape } from './scrape.ts';

interface ListedFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  /** Where it comes from. */
  readonly source: string;
  /** As in the response; null: it was deleted. */
  readonly url: string | null;
}

/** The printed page and the downloads of a scrape. Renders nothing if there are none. */
export function FilesPanel({ scrape }: { readonly scrape: AnyScrape }) {
  const files = filesOf(scrape);
  if (files.length === 0) return null;
  return (
    <Panel title={t`Files`} description={t`Files come from the target: open only what you trust.`} flush>
      <DataTable
        caption={t`Files of the scrape`}
        columns={[
          {
            label: t`File`,
            className: classes.file,
            cell: ({ name, source }) => (
              <>
                <b dir="auto">{name}</b>
                <span className={classes.source} dir="ltr">
                  {source}
                </span>
              </>
            ),
          },
          { label: t`Type`, wide: true, cell: ({ type }) => type },
          { label: t`Size`, numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
          { label: t`Get it`, numeric: true, cell: (file) => <Download file={file} /> },
        ]}
        rows={files}
      />
    </Panel>
  );
}

function Download({ file: { name, url } }: { readonly file: ListedFile }) {
  const address = url === null ? null : ownFileUrl(url);
  if (address === null)
    return <span className={classes.source}>{url === null ? t`deleted` : t`not of this service`}</span>;
  return (
    <Button
      component="a"
      href={address}
      download={name}
      variant="default"
      size="xs"
      className={classes.download}
      leftSection={<IconDownload size={14} />}
      aria-label={t`Download ${name}`}
    >
      <span className={classes.wideOnly}>
        <Trans>Download</Trans>
      </span>
    </Button>
  );
}

function filesOf({ scraper_data: { pdf, downloads } }: AnyScrape): readonly ListedFile[] {
  const printed =
    pdf == null
      ? []
      : [
          {
            name: 'page.pdf',
            type: 'application/pdf',
            bytes: pdf.bytes,
            source: t`the page, printed: ${plural(pdf.pages, { one: '# sheet', other: '# sheets' })}`,
            url: pdf.url,
          },
        ];
  return [...printed, ...(downloads ?? []).map((file) => ({ ...file, source: file.from }))];
}
