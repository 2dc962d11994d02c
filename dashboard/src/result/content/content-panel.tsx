import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Tabs } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { useCanChange } from '../../api/session.ts';
import { lazyComponent } from '../../app/lazy.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { IconDownload, IconFile } from '../../ui/icons.tsx';
import { EmptyState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type AnyScrape, isObject, mediaTypeOf, type SentRequest } from '../scrape.ts';
import { contentKind } from './content-kind.ts';
import classes from './content-panel.module.css';
import { HexView } from './hex-view.tsx';

// Loaded lazily, because the parsers are larger than the rest of the page.
const SourceView = lazyComponent(() => import('./source-view.tsx'), 'SourceView');
const DelimitedTable = lazyComponent(() => import('./delimited-table.tsx'), 'DelimitedTable');
const PickData = lazyComponent(() => import('../picker/pick-data.tsx'), 'PickData');

interface ContentPanelProps {
  readonly scrape: AnyScrape;
  /** The content can be fetched by the id of the scrape. */
  readonly stored: boolean;
  /** `router.retain` of the request; undefined: not known. */
  readonly retain: string | undefined;
  readonly request: SentRequest;
}

/** The content as a rendered page, text, bytes, picture or download. */
export function ContentPanel({ scrape, stored, retain, request }: ContentPanelProps) {
  const canChange = useCanChange();
  if (scrape.content === null || scrape.content === '') {
    return (
      <Panel title={t`Content`}>
        <MissingContent scrape={scrape} retain={retain} />
      </Panel>
    );
  }
  // The service refuses to try the rules of viewers.
  const views = contentViews(scrape, stored, request).filter(({ key }) => canChange || key !== 'picker');
  return (
    <Panel
      title={t`Content`}
      description={mediaTypeOf(scrape) || t`No content type.`}
      actions={stored && scrape.id !== null && <Download id={scrape.id} />}
      flush
    >
      <Tabs key={scrape.id} defaultValue={views[0]!.key} keepMounted={false}>
        <Tabs.List px={10} aria-label={t`Views of the content`}>
          {views.map(({ key, name }) => (
            <Tabs.Tab key={key} value={key}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {views.map(({ key, view }) => (
          <Tabs.Panel key={key} value={key}>
            {view}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Panel>
  );
}

interface ContentView {
  readonly key: 'image' | 'hex' | 'table' | 'source' | 'rendered' | 'picker';
  readonly name: string;
  readonly view: ReactNode;
}

/** The views of a content that is not empty. */
export function contentViews(
  scrape: AnyScrape,
  stored: boolean,
  request: SentRequest,
): readonly ContentView[] {
  const { language, binary, image, delimited } = contentKind(scrape);
  const content = scrape.content ?? '';
  const views: ContentView[] = [];
  if (image)
    views.push({ key: 'image', name: t`Image`, view: <ImageView scrape={scrape} stored={stored} /> });
  if (binary) return [...views, { key: 'hex', name: t`Hex`, view: <HexView base64={content} /> }];
  if (delimited !== null) {
    const { delimiter } = delimited;
    const table = (
      <Suspense fallback={<PageSkeleton />}>
        <DelimitedTable text={content} delimiter={delimiter} />
      </Suspense>
    );
    views.push({ key: 'table', name: t`Table`, view: table });
  }
  const source = (
    <Suspense fallback={<PageSkeleton />}>
      <SourceView text={content} language={language} />
    </Suspense>
  );
  views.push({ key: 'source', name: t`Source`, view: source });
  if (language === 'html' && stored && scrape.id !== null) {
    views.push({ key: 'rendered', name: t`Rendered`, view: <RenderedView id={scrape.id} /> });
    const picker = (
      <Suspense fallback={<PageSkeleton />}>
        <PickData scrape={scrape} id={scrape.id} scripting={ranScripts(scrape, request)} />
      </Suspense>
    );
    views.push({ key: 'picker', name: t`Picker`, view: picker });
  }
  return views;
}

/** Whether a browser ran the scripts of the page. */
function ranScripts({ router: { scraper } }: AnyScrape, request: SentRequest): boolean {
  const options = request?.scraper_options;
  const isBrowser = scraper === 'browser' || scraper === 'browser_stealth';
  return isBrowser && !(isObject(options) && options.javascript === false);
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
      <Trans>Download</Trans>
    </Button>
  );
}

interface MissingContentProps {
  readonly scrape: AnyScrape;
  /** `router.retain` of the request; undefined: not known. */
  readonly retain: string | undefined;
}

/** Explains why there is no content. */
export function MissingContent({ scrape, retain }: MissingContentProps) {
  const [title, text] = missingContentText(scrape, retain);
  return (
    <EmptyState icon={IconFile} title={title} level={3}>
      {text}
    </EmptyState>
  );
}

function missingContentText(
  { router, status_code, errors, content }: AnyScrape,
  retain: string | undefined,
): readonly [title: string, text: string] {
  if (content === '') return [t`Empty body`, t`The site sent a response without content.`];
  if (router.outcome === 'planned') {
    return [t`Nothing was fetched`, t`It was a dry run: the router only planned the route.`];
  }
  if (errors[0]?.code === 'request.cancelled') {
    return [t`Nothing was returned`, t`The client disconnected before the response was ready.`];
  }
  if (router.content_returned === false && (retain ?? 'full') === 'full') {
    return [
      t`Content was not returned`,
      t`The request set return_content: false. The stored scrape has the content.`,
    ];
  }
  // There was a page, so its content was not stored because of `retain`.
  if (status_code !== null || router.outcome !== 'failed') {
    return [
      t`Content was not stored`,
      t`The request set retain ${retain ?? t`metadata or none`}: only the response contained the content. To store the content, send no router.retain.`,
    ];
  }
  return [t`No content`, t`No page was fetched. The reason is shown above.`];
}

interface ImageViewProps {
  readonly scrape: AnyScrape;
  readonly stored: boolean;
}

/** A scraped picture. In an `<img>`, no scripts run, not even those of SVG. */
function ImageView({ scrape, stored }: ImageViewProps) {
  const [size, setSize] = useState<string | null>(null);
  const [broken, setBroken] = useState(false);
  if (broken)
    return (
      <p className={classes.note}>
        <Trans>Your browser cannot show this image format.</Trans>
      </p>
    );
  return (
    <div className={classes.picture}>
      <img
        alt={t`Content of the response`}
        src={stored && scrape.id !== null ? contentUrl(scrape.id) : dataUrl(scrape)}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize(`${naturalWidth} × ${naturalHeight}`)
        }
        onError={() => setBroken(true)}
      />
      {size !== null && <p className={classes.note}>{size}</p>}
    </div>
  );
}

/** With `view`, the service sends the content for display instead of as a download. */
const contentUrl = (id: string) => `${BASE_PATH}/api/v1/scrape/${encodeURIComponent(id)}/content/?view=1`;

function dataUrl(scrape: AnyScrape): string {
  const content = scrape.content ?? '';
  const type = mediaTypeOf(scrape);
  return scrape.content_encoding === 'base64'
    ? `data:${type};base64,${content}`
    : `data:${type};charset=utf-8,${encodeURIComponent(content)}`;
}

/**
 * The page without scripts and external resources. The frame is sandboxed without any permission: no scripts, no forms, no
 * origin. The Content-Security-Policy of the service's response forbids the same.
 */
function RenderedView({ id }: { readonly id: string }) {
  return (
    <>
      <p className={classes.note}>
        <Trans>Shown without scripts and without external images and styles: it sends no requests.</Trans>
      </p>
      <iframe
        className={classes.frame}
        title={t`Rendered content`}
        sandbox=""
        referrerPolicy="no-referrer"
        src={contentUrl(id)}
      />
    </>
  );
}
