import { Button, Tabs } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { lazyComponent } from '../../app/lazy.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { IconDownload } from '../../ui/icons.tsx';
import { PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { mediaTypeOf, type ScrapeShape } from '../scrape-shape.ts';
import { contentKind } from './content-kind.ts';
import { HexView } from './hex-view.tsx';
import { ImageView } from './image-view.tsx';
import { MissingContent } from './missing-content.tsx';
import { RenderedView } from './rendered-view.tsx';

// The parsers weigh more than the rest of the page.
const SourceView = lazyComponent(() => import('./source-view.tsx'), 'SourceView');

interface ContentPanelProps {
  readonly scrape: ScrapeShape;
  /** It can be fetched by the id of the scrape. */
  readonly stored: boolean;
  /** `router.retain` of the request; undefined: not known. */
  readonly retain: string | undefined;
}

/** What the target sent, as a page, as text, as bytes, as a picture, as a download. */
export function ContentPanel({ scrape, stored, retain }: ContentPanelProps) {
  if (scrape.content === null || scrape.content === '') {
    return (
      <Panel title="Content">
        <MissingContent scrape={scrape} retain={retain} />
      </Panel>
    );
  }
  const views = viewsOf(scrape, stored);
  return (
    <Panel
      title="Content"
      description={mediaTypeOf(scrape) || 'No content type.'}
      actions={stored && scrape.id !== null && <Download id={scrape.id} />}
      flush
    >
      <Tabs key={scrape.id} defaultValue={views[0]!.name} keepMounted={false}>
        <Tabs.List px={10} aria-label="Views of the content">
          {views.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {views.map(({ name, view }) => (
          <Tabs.Panel key={name} value={name}>
            {view}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Panel>
  );
}

function viewsOf(scrape: ScrapeShape, stored: boolean): readonly { name: string; view: ReactNode }[] {
  const { language, binary, image } = contentKind(scrape);
  const content = scrape.content ?? '';
  const views: { name: string; view: ReactNode }[] = [];
  if (image) views.push({ name: 'Image', view: <ImageView scrape={scrape} stored={stored} /> });
  if (binary) return [...views, { name: 'Hex', view: <HexView base64={content} /> }];
  const source = (
    <Suspense fallback={<PageSkeleton />}>
      <SourceView text={content} language={language} />
    </Suspense>
  );
  views.push({ name: 'Source', view: source });
  if (language === 'html' && stored && scrape.id !== null) {
    views.push({ name: 'Rendered', view: <RenderedView id={scrape.id} /> });
  }
  return views;
}

function Download({ id }: { readonly id: string }) {
  const href = `${BASE_PATH}/api/v1/scrape/${encodeURIComponent(id)}/content/`;
  return (
    <Button
      component="a"
      href={href}
      download
      variant="default"
      size="xs"
      leftSection={<IconDownload size={15} />}
    >
      Download
    </Button>
  );
}
