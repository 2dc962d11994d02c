import type { Site } from '../../api/sites.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatCount } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RouteName } from '../../ui/route-name.tsx';
import { Chance } from './chance.tsx';
import { Demands } from './demands.tsx';
import classes from './sites.module.css';

type Page = Site['pages'][number];
type Way = Page['ways'][number];

/** One kind of page of a site: what it seems to ask for, what would be tried first and why, and every way. */
export function PageKind({ page }: { readonly page: Page }) {
  const { pattern, attempts, demands, ways, next, reason } = page;
  const isNext = (way: Way) => next?.scraper === way.scraper && next.proxy_type === way.proxy_type;
  return (
    <Panel
      title={pattern}
      description={`${formatCount(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'} seen`}
      flush
    >
      <div className={classes.kind}>
        <p className={classes.next}>
          {next === null ? (
            'No method is available.'
          ) : (
            <>
              Next: <RouteName scraper={next.scraper} proxyType={next.proxy_type} />
            </>
          )}
          <small>{reason}</small>
        </p>
        <Demands demands={demands} />
      </div>
      <DataTable
        caption={`Methods for ${pattern}`}
        head={
          <>
            <th scope="col">Method</th>
            <th scope="col">Estimated success</th>
            <th scope="col" data-numeric>
              Effort
            </th>
            <th scope="col" data-numeric data-wide>
              Weighted attempts
            </th>
          </>
        }
      >
        {ways.map((way) => (
          <tr key={`${way.scraper}/${way.proxy_type}`}>
            <td>
              <RouteName scraper={way.scraper} proxyType={way.proxy_type} />{' '}
              {isNext(way) && <Pill tone="blue">next</Pill>}
            </td>
            <td>
              <Chance share={way.est_success} />
            </td>
            <td data-numeric>{Number(way.est_cost.toPrecision(3))}</td>
            <td data-numeric data-wide>
              {Number(way.remembered.toFixed(1))}
            </td>
          </tr>
        ))}
      </DataTable>
    </Panel>
  );
}
