import { t } from '@lingui/core/macro';
import { createContext, Fragment, use } from 'react';
import classes from './route-name.module.css';

/** Whether the scrape used the server's own address. The API then still reports the proxy type `datacenter`. */
export const DirectContext = createContext(false);

/** Whether the scrape used no proxy: the service reports that as a warning. */
export const isDirect = ({
  router,
}: {
  readonly router: { readonly warnings: readonly { readonly code: string }[] };
}) => router.warnings.some(({ code }) => code === 'proxy.direct');

/** The proxy type as a text. */
export const proxyTypeText = (proxyType: string, direct: boolean): string =>
  direct && proxyType === 'datacenter' ? t`direct` : proxyType;

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
      {scraper.split('_').map((part, index) =>
        index === 0 ? (
          part
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name do not move
          <Fragment key={index}>
            _<wbr />
            {part}
          </Fragment>
        ),
      )}
      <small> · {proxyTypeText(proxyType, direct)}</small>
    </span>
  );
}
