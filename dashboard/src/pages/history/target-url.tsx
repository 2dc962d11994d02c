import { hostText } from '../../ui/host-text.ts';
import classes from './history.module.css';

interface TargetUrlProps {
  /** null: it was not kept. */
  readonly url: string | null;
  readonly host: string;
}

/** A URL with its host first to meet the eye; what does not fit ends in dots. */
export function TargetUrl({ url, host }: TargetUrlProps) {
  const { name, rest } = partsOf(url, host);
  return (
    <span className={classes.url} title={url ?? host} dir="ltr">
      <b>{name}</b>
      {/* More than fits on any screen; addresses of 8,000 characters make tables slow. */}
      <span>{url === null ? ' (the rest was not kept)' : rest.slice(0, 300)}</span>
    </span>
  );
}

function partsOf(url: string | null, host: string): { readonly name: string; readonly rest: string } {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed === null) return { name: hostText(host), rest: '' };
  const rest = `${parsed.pathname}${parsed.search}${parsed.hash}`;
  return { name: hostText(parsed.host), rest: rest === '/' ? '' : rest };
}
