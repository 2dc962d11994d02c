import { BASE_PATH } from '../../app/page-config.ts';
import classes from './content-panel.module.css';

/**
 * The page as it looks without scripts and without anything from elsewhere. The frame has no rights at all: no scripts,
 * no forms, no origin; the service forbids the same once more in the answer itself.
 */
export function RenderedView({ id }: { readonly id: string }) {
  return (
    <>
      <p className={classes.note}>
        Shown without scripts and without external images and styles: it sends no requests.
      </p>
      <iframe
        className={classes.frame}
        title="Rendered content"
        sandbox=""
        referrerPolicy="no-referrer"
        src={`${BASE_PATH}/api/v1/scrape/${encodeURIComponent(id)}/content/?view=1`}
      />
    </>
  );
}
