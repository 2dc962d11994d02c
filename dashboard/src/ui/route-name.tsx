import { createContext, use } from 'react';
import classes from './route-name.module.css';

/** Whether connections were direct, although the proxy type is `datacenter` (which is the default). */
export const DirectContext = createContext(false);

export const isDirect = ({
  router,
}: {
  readonly router: { readonly warnings: readonly { readonly code: string }[] };
}) => router.warnings.some(({ code }) => code === 'proxy.direct');

/** The proxy type as a text. */
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
    <span className={`${classes.route} ${className}`}>
      {scraper}
      <small> · {proxyTypeText(proxyType, direct)}</small>
    </span>
  );
}
