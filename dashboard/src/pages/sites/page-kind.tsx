import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Site, siteBillQuery } from '../../api/sites.ts';
import { useReasonText } from '../../result/route/use-reason-text.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatCost, formatNumber } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RouteName } from '../../ui/route-name.tsx';
import { attemptPrice } from './cost-panel.tsx';
import { protectionText } from './protection-text.ts';
import classes from './sites.module.css';

type SitePage = Site['pages'][number];
type SiteRoute = SitePage['ways'][number];

interface PageKindProps {
  readonly page: SitePage;
  /** Whose costs give the prices. */
  readonly host: string;
  /** Whether it is not folded at first. */
  readonly isOpen: boolean;
}

/** One kind of page of a site: the probable defenses, the first step with the reason, and all routes. */
export function PageKind({ page, host, isOpen }: PageKindProps) {
  const [open, setOpen] = useState(isOpen);
  const { pattern, attempts } = page;
  return (
    <Panel
      title={pattern}
      description={plural(attempts, { one: '# attempt seen', other: '# attempts seen' })}
      actions={
        <Button variant="default" size="xs" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t`Hide the methods` : t`Show the methods`}
        </Button>
      }
      flush
    >
      {open && <Methods page={page} host={host} />}
    </Panel>
  );
}

function Methods({ page, host }: Omit<PageKindProps, 'isOpen'>) {
  const reasonText = useReasonText();
  const { data: bill } = useQuery(siteBillQuery(host));
  /** What a page costs, failed attempts included; null: not known. */
  const priceOf = ({ scraper, proxy_type, est_success }: SiteRoute): number | null => {
    const way = bill?.total.ways.find((one) => one.scraper === scraper && one.proxy_type === proxy_type);
    const price = way === undefined ? null : attemptPrice(way);
    return price === null || est_success === 0 ? null : price / est_success;
  };
  const { pattern, demands: defenses, ways: routes, next, reason } = page;
  const isPriced = routes.some((route) => priceOf(route) !== null);
  const isNext = (route: SiteRoute) =>
    next?.scraper === route.scraper && next.proxy_type === route.proxy_type;
  return (
    <>
      <div className={classes.kind}>
        <p className={classes.next}>
          {next === null ? (
            t`No method is available.`
          ) : (
            <Trans>
              Next: <RouteName scraper={next.scraper} proxyType={next.proxy_type} />
            </Trans>
          )}
          <small>{reasonText(reason)}</small>
        </p>
        <Defenses defenses={defenses} />
      </div>
      <DataTable
        caption={t`Methods for ${pattern}`}
        columns={[
          {
            label: t`Method`,
            className: classes.route,
            cell: (route) => (
              <>
                <RouteName scraper={route.scraper} proxyType={route.proxy_type} />{' '}
                {isNext(route) && <Pill tone="blue">{t`next`}</Pill>}
              </>
            ),
          },
          {
            label: <span className={classes.head}>{t`Estimated success`}</span>,
            cell: ({ est_success }) => <Probability share={est_success} />,
          },
          isPriced && {
            label: t`Cost of a page`,
            numeric: true,
            title: t`By the costs of the last twelve months and the estimated success`,
            cell: (route) => {
              const price = priceOf(route);
              return price === null ? '–' : formatCost(price, bill?.cost_unit ?? '');
            },
          },
          !isPriced && {
            label: <span className={classes.head}>{t`Relative cost`}</span>,
            numeric: true,
            title: t`A plain HTTP request is 1.`,
            cell: ({ est_cost }) => formatNumber(Number(est_cost.toPrecision(3))),
          },
          {
            label: t`Measured on`,
            numeric: true,
            wide: true,
            title: t`What the estimate is based on: older attempts count less, and attempts at other pages of the site count in part.`,
            cell: ({ remembered }) => {
              const rounded = Math.round(remembered);
              return rounded === 0 ? '–' : plural(rounded, { one: '# attempt', other: '# attempts' });
            },
          },
        ]}
        rows={routes}
        rowKey={({ scraper, proxy_type }) => `${scraper}/${proxy_type}`}
      />
    </>
  );
}

interface DefensesProps {
  readonly defenses: Site['pages'][number]['demands'];
}

/** The probabilities of further defenses are shown as a sum. */
const SHOWN_DEFENSES = 4;

/** The defenses that the site may have, the most likely first. */
function Defenses({ defenses }: DefensesProps) {
  const rest = defenses.slice(SHOWN_DEFENSES).reduce((sum, { probability }) => sum + probability, 0);
  return (
    <ul className={classes.defenses} aria-label={t`Protection of the site`}>
      {/* `words` is the rest of a sentence: `needs JavaScript`. */}
      {defenses.slice(0, SHOWN_DEFENSES).map(({ name, words, probability }) => (
        <li key={name}>
          <span>
            <Trans>It {protectionText(words)}</Trans>
          </span>
          <Probability share={probability} />
        </li>
      ))}
      {/* Less would be shown as 0 %. */}
      {rest >= 0.005 && (
        <li>
          <span>
            <Trans>Something else</Trans>
          </span>
          <Probability share={rest} />
        </li>
      )}
    </ul>
  );
}

/** A probability from 0 to 1, as a bar and as a text. */
function Probability({ share }: { readonly share: number }) {
  const percent = `${Math.round(share * 100)} %`;
  return (
    <span className={classes.probability}>
      <i aria-hidden="true">
        <i style={{ width: `${Math.round(share * 100)}%` }} />
      </i>
      <b>{percent}</b>
    </span>
  );
}
