import classes from './way-name.module.css';

interface WayNameProps {
  readonly scraper: string;
  readonly proxyType: string;
  readonly className?: string | undefined;
}

/** A scraper and the kind of exit that it takes. */
export function WayName({ scraper, proxyType, className = '' }: WayNameProps) {
  return (
    <span className={`${classes.way} ${className}`}>
      {scraper}
      <small> over {proxyType}</small>
    </span>
  );
}
