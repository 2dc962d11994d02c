import type { Site } from '../../api/sites.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatCount } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RouteName } from '../../ui/route-name.tsx';
import classes from './sites.module.css';

type SitePage = Site['pages'][number];
type SiteRoute = SitePage['ways'][number];

/** One kind of page of a site: what it seems to ask for, what would be tried first and why, and every way. */
export function PageKind({ page }: { readonly page: SitePage }) {
  const { pattern, attempts, demands, ways, next, reason } = page;
  const isNext = (way: SiteRoute) => next?.scraper === way.scraper && next.proxy_type === way.proxy_type;
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
        <Defenses demands={demands} />
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
              <Probability share={way.est_success} />
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

interface DefensesProps {
  readonly demands: Site['pages'][number]['demands'];
}

/** More of them nobody reads; the rest is told as one number. */
const SHOWN_DEFENSES = 4;

/** What the site may ask of who fetches there, the likeliest first. */
function Defenses({ demands }: DefensesProps) {
  const rest = demands.slice(SHOWN_DEFENSES).reduce((sum, { probability }) => sum + probability, 0);
  return (
    <ul className={classes.demands} aria-label="Protection of the site">
      {demands.slice(0, SHOWN_DEFENSES).map(({ name, words, probability }) => (
        <li key={name}>
          <span>It {words}</span>
          <Probability share={probability} />
        </li>
      ))}
      {rest >= 0.005 && (
        <li>
          <span>Something else</span>
          <Probability share={rest} />
        </li>
      )}
    </ul>
  );
}

/** A likelihood, 0 to 1, as a bar and in words. */
function Probability({ share }: { readonly share: number }) {
  const percent = `${Math.round(share * 100)} %`;
  return (
    <span className={classes.chance}>
      <i aria-hidden="true">
        <i style={{ width: `${Math.round(share * 100)}%` }} />
      </i>
      <b>{percent}</b>
    </span>
  );
}
