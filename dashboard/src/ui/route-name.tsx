import { t } from '@lingui/core/macro';
import { createContext, Fragment, use } from 'react';
import classes from './route-name.module.css';

/** Whether the scrape used the server's own address. The API then still reports the proxy type `datacenter`. */
export const DirectContext = createContext(false);

/** Whether the scrape used no proxy; a dry run says by a warning that it would use none. */
export const isDirect = ({
  router,
}: {
  readonly router: {
    readonly direct?: boolean | null | undefined;
    readonly warnings: readonly { readonly code: string }[];
  };
}) => router.direct ?? router.warnings.some(({ code }) => code === 'proxy.direct');

/** The proxy type as a text. */
export const proxyTypeText = (proxyType: string, direct: boolean): string =>
  direct && proxyType === 'datacenter' ? t`direct` : proxyType;

/** A vendor uses its own network, unless the request wants addresses of another type. */
export const isVendorNetwork = (scraper: string, proxyType: string): boolean =>
  scraper.startsWith('vendor:') && proxyType === 'datacenter';

/** A scraper and its proxy type as a text: `http · residential`. */
export const routeText = (scraper: string, proxyType: string, direct: boolean): string =>
  isVendorNetwork(scraper, proxyType) ? scraper : `${scraper} · ${proxyTypeText(proxyType, direct)}`;

/** A name that may break after each `_`. */
export const BreakableName = ({ name }: { readonly name: string }) =>
  name.split('_').map((part, index) =>
    index === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name do not move
      <Fragment key={index}>
        _<wbr />
        {part}
      </Fragment>
    ),
  );

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
      <BreakableName name={scraper} />
      {!isVendorNetwork(scraper, proxyType) && <small> · {proxyTypeText(proxyType, direct)}</small>}
    </span>
  );
}
