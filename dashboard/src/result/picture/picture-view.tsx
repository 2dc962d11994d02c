import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { IconDownload, IconExternal } from '../../ui/icons.tsx';
import { fileName, isInside } from './picture-address.ts';
import classes from './picture-view.module.css';
import { ShareLink } from './share-link.tsx';
import { usePicture } from './use-picture.ts';

interface PictureViewProps {
  /** Of our own service, or a `data:` URL. */
  readonly address: string;
  /** What is to be seen, in words. */
  readonly alt: string;
  /** For a download that the service does not name. */
  readonly name: string;
  /** As the answer tells it; keeps the place free until the picture is there. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /** Its address in the answer, for others. */
  readonly link?: string | undefined;
  readonly small?: boolean;
}

/** A picture of a page: never wider than its place, a tall one scrolls; in full size it scrolls both ways. */
export function PictureView({ address, alt, name, size, link, small = false }: PictureViewProps) {
  const { state, onLoad, onError } = usePicture(address);
  const [full, setFull] = useState(false);
  if (state.phase === 'missing') {
    return (
      <p className={classes.missing} data-small={small || undefined} role="status">
        {state.why}
      </p>
    );
  }
  const known = state.phase === 'shown' ? state : size;
  return (
    <figure className={classes.figure} data-small={small || undefined} data-full={full || undefined}>
      <figcaption className={classes.tools}>
        <span className={classes.size}>
          {known === undefined ? 'Loading…' : `${known.width} × ${known.height} px`}
        </span>
        {link !== undefined && !isInside(link) && <ShareLink url={link} />}
        <Switch
          size="xs"
          label="Full size"
          checked={full}
          onChange={(event) => setFull(event.currentTarget.checked)}
        />
        <span className={classes.gap} />
        {!isInside(address) && (
          <Button
            component="a"
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            variant="default"
            size="xs"
            leftSection={<IconExternal size={14} />}
          >
            Open in a tab
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
          Download
        </Button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={alt}>
        <img
          src={address}
          alt={alt}
          width={known?.width}
          height={known?.height}
          data-loading={state.phase === 'loading' || undefined}
          onLoad={(event) => onLoad(event.currentTarget)}
          onError={onError}
        />
      </section>
    </figure>
  );
}
