import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatLocal } from '../ui/format.ts';
import { IconDownload, IconExternal } from '../ui/icons.tsx';
import { fileName, isDataUrl } from './picture-url.ts';
import classes from './picture-view.module.css';

interface PictureViewProps {
  /** A URL of our own service, or a `data:` URL. */
  readonly address: string;
  /** Alternative text. */
  readonly alt: string;
  /** File name for a download if the service does not send one. */
  readonly name: string;
  /** The size in the response, which reserves the space until the picture is loaded. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /** The signed URL in the response, which can be shared. */
  readonly link?: string | undefined;
  readonly small?: boolean;
  /** A part of the picture that is outlined, in its pixels. */
  readonly part?: PicturePart | null | undefined;
}

interface PicturePart {
  /** What it is: `the main content`. */
  readonly name: string;
  readonly box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
}

/** A screenshot: fitted to the width with vertical scrolling, or in full size with scrolling in both directions. */
export function PictureView({ address, alt, name, size, link, small = false, part }: PictureViewProps) {
  const { state, onLoad, onError } = usePicture(address);
  const [full, setFull] = useState(false);
  const [marks, setMarks] = useState(true);
  if (state.phase === 'missing') {
    return (
      <p className={classes.missing} data-small={small || undefined} role="status">
        {state.reason}
      </p>
    );
  }
  const currentSize = state.phase === 'shown' ? state : size;
  return (
    <figure className={classes.figure} data-small={small || undefined} data-full={full || undefined}>
      <figcaption className={classes.tools}>
        <span className={classes.size}>
          {currentSize === undefined ? t`Loading…` : t`${currentSize.width} × ${currentSize.height} px`}
        </span>
        {link !== undefined && !isDataUrl(link) && <ShareLink url={link} />}
        <Switch
          size="xs"
          label={t`Full size`}
          checked={full}
          onChange={(event) => setFull(event.currentTarget.checked)}
        />
        {part != null && (
          <Switch
            size="xs"
            label={t`Outline ${part.name}`}
            checked={marks}
            onChange={(event) => setMarks(event.currentTarget.checked)}
          />
        )}
        <span className={classes.buttons}>
          {!isDataUrl(address) && (
            <Button
              component="a"
              href={address}
              target="_blank"
              rel="noopener noreferrer"
              variant="default"
              size="xs"
              leftSection={<IconExternal size={14} />}
            >
              <Trans>Open in a tab</Trans>
            </Button>
          )}
          <Button
            component="a"
            href={address}
            download={fileName(address, name)}
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
          >
            <Trans>Download</Trans>
          </Button>
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={alt}>
        <div className={classes.picture}>
          <img
            src={address}
            alt={alt}
            width={currentSize?.width}
            height={currentSize?.height}
            data-loading={state.phase === 'loading' || undefined}
            onLoad={(event) => onLoad(event.currentTarget)}
            onError={onError}
          />
          {part != null && marks && state.phase === 'shown' && <Outline part={part} picture={state} />}
        </div>
      </section>
    </figure>
  );
}

interface OutlineProps {
  readonly part: PicturePart;
  readonly picture: { readonly width: number; readonly height: number };
}

/** In shares of the picture, because it may be shown smaller. */
function Outline({ part: { name, box }, picture: { width, height } }: OutlineProps) {
  const share = (length: number, of: number) => `${(length / of) * 100}%`;
  return (
    <div
      className={classes.outline}
      role="img"
      aria-label={t`Outline of ${name}`}
      style={{
        insetInlineStart: share(box.x, width),
        insetBlockStart: share(box.y, height),
        width: share(box.width, width),
        height: share(box.height, height),
      }}
    />
  );
}

type PictureState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'shown'; readonly width: number; readonly height: number }
  | { readonly phase: 'missing'; readonly reason: string };

interface Picture {
  readonly state: PictureState;
  onLoad(image: HTMLImageElement): void;
  onError(): void;
}

const LOAD_ERRORS: Readonly<Record<number, string>> = {
  401: t`You are signed out. Reload this page to sign in.`,
  404: t`The picture is gone: it was deleted with its record, or was not stored.`,
};

/** The state of an `<img>`. If it fails, a second request finds out why, which the element does not tell. */
function usePicture(address: string): Picture {
  const [stateAddress, setStateAddress] = useState(address);
  const [state, setState] = useState<PictureState>({ phase: 'loading' });
  if (stateAddress !== address) {
    setStateAddress(address);
    setState({ phase: 'loading' });
  }
  return {
    state,
    onLoad: ({ naturalWidth: width, naturalHeight: height }) => setState({ phase: 'shown', width, height }),
    onError: () => void loadErrorText(address).then((reason) => setState({ phase: 'missing', reason })),
  };
}

async function loadErrorText(address: string): Promise<string> {
  if (isDataUrl(address)) return t`The browser cannot show the picture.`;
  try {
    const { status } = await fetch(address, { method: 'HEAD', credentials: 'same-origin' });
    return LOAD_ERRORS[status] ?? t`The picture could not be loaded (status ${status}).`;
  } catch {
    return t`The picture could not be loaded: the service cannot be reached.`;
  }
}

/** The signed link: it works for anybody, without a key, until it expires. */
function ShareLink({ url }: { readonly url: string }) {
  const seconds = Number(URL.parse(url)?.searchParams.get('expires') ?? Number.NaN);
  if (!Number.isFinite(seconds)) return null;
  const until = new Date(seconds * 1000);
  if (until.getTime() <= Date.now()) {
    return (
      <span className={classes.link}>
        <Trans>The link has expired. Reload this page for a new one.</Trans>
      </span>
    );
  }
  return (
    <span className={classes.link}>
      <Trans>Public link, until {formatLocal(until.toISOString())}</Trans>
      <CopyButton value={url} label={t`Copy the link of the picture`} />
    </span>
  );
}
