import classes from './route.module.css';

interface WayNameProps {
  readonly scraper: string;
  readonly proxyType: string;
}

/** A scraper and the kind of exit that it takes. */
export function WayName({ scraper, proxyType }: WayNameProps) {
  return (
    <span className={classes.way}>
      {scraper}
      <small> over {proxyType}</small>
    </span>
  );
}
