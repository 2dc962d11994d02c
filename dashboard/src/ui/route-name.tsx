import { createContext, use } from 'react';
import classes from './route-name.module.css';

/** Whether no proxy was used, although requests go to the type `datacenter` by default. */
export const DirectContext = createContext(false);

export const isDirect = ({
  router,
}: {
  readonly router: { readonly warnings: readonly { readonly code: string }[] };
}) => router.warnings.some(({ code }) => code === 'proxy.direct');

/** The proxy type, in words. */
export const proxyTypeText = (proxyType: string, direct: boolean): string =>
  direct && proxyType === 'datacenter' ? 'direct' : proxyType;

interface RouteNameProps {
  readonly scraper: string;
  readonly proxyType: string;
  readonly className?: string | undefined;
}

/** A scraper and the type of proxy that it uses. */
export function RouteName({ scraper, proxyType, className = '' }: RouteNameProps) {
  const direct = use(DirectContext);
  return (
    <span className={`${classes.way} ${className}`}>
      {scraper}
      <small> · {proxyTypeText(proxyType, direct)}</small>
    </span>
  );
}
