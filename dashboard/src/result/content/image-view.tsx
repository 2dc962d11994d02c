import { useState } from 'react';
import { BASE_PATH } from '../../app/page-config.ts';
import { mediaTypeOf, type ScrapeShape } from '../scrape-shape.ts';
import classes from './content-panel.module.css';

interface ImageViewProps {
  readonly scrape: ScrapeShape;
  readonly stored: boolean;
}

/** A picture that was scraped. Within an `<img>` nothing of it runs, SVG included. */
export function ImageView({ scrape, stored }: ImageViewProps) {
  const [size, setSize] = useState<string | null>(null);
  const [broken, setBroken] = useState(false);
  if (broken) return <p className={classes.note}>Your browser cannot show this image format.</p>;
  return (
    <div className={classes.picture}>
      <img
        alt="Content of the response"
        src={stored && scrape.id !== null ? viewOf(scrape.id) : dataOf(scrape)}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize(`${naturalWidth} × ${naturalHeight}`)
        }
        onError={() => setBroken(true)}
      />
      {size !== null && <p className={classes.note}>{size}</p>}
    </div>
  );
}

const viewOf = (id: string) => `${BASE_PATH}/api/v1/scrape/${encodeURIComponent(id)}/content/?view=1`;

function dataOf(scrape: ScrapeShape): string {
  const content = scrape.content ?? '';
  const type = mediaTypeOf(scrape);
  return scrape.content_encoding === 'base64'
    ? `data:${type};base64,${content}`
    : `data:${type};charset=utf-8,${encodeURIComponent(content)}`;
}
