import { CopyButton } from '../../ui/copy-button.tsx';
import { formatLocal } from '../../ui/format.ts';
import classes from './picture-view.module.css';

/** The link of the answer: it works for anybody, without a key, until it expires. */
export function ShareLink({ url }: { readonly url: string }) {
  const seconds = Number(URL.parse(url)?.searchParams.get('expires') ?? Number.NaN);
  if (!Number.isFinite(seconds)) return null;
  const until = new Date(seconds * 1000);
  if (until.getTime() <= Date.now()) {
    return <span className={classes.link}>The link has expired. Reload this page for a new one.</span>;
  }
  return (
    <span className={classes.link}>
      Public link, until {formatLocal(until.toISOString())}
      <CopyButton value={url} label="Copy the link of the picture" />
    </span>
  );
}
