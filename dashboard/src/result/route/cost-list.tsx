import { formatBytes } from '../../ui/format.ts';
import type { RouterShape } from '../scrape-shape.ts';
import classes from './route.module.css';

type Detail = NonNullable<RouterShape['cost_details']>[number];

/** Cost in all, and for what. Nothing while nothing is priced. */
export function CostList({ router }: { readonly router: RouterShape }) {
  const { request_cost, cost_details = [], cost_unit = '' } = router;
  if (request_cost === null) return null;
  return (
    <table className={classes.costs}>
      <caption className={classes.hidden}>What it cost</caption>
      <thead className={classes.hidden}>
        <tr>
          <th>Item</th>
          <th>Cost</th>
        </tr>
      </thead>
      <tbody>
        {cost_details.map((one) => (
          <tr key={`${one.attempt} ${one.item}`}>
            <th scope="row">
              {whatOf(one)}
              <small>
                {' '}
                attempt {one.attempt}, {amountOf(one)}
              </small>
            </th>
            <td>
              {one.cost} {cost_unit}
            </td>
          </tr>
        ))}
        <tr className={classes.total}>
          <th scope="row">Total</th>
          <td>
            {request_cost} {cost_unit}
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function whatOf({ item, name }: Detail): string {
  if (item === 'scraper') return name;
  return item === 'proxy_request' ? `${name} proxy` : `${name} traffic`;
}

const amountOf = ({ item, quantity, unit_price }: Detail): string =>
  item === 'proxy_traffic'
    ? `${formatBytes(quantity)} at ${unit_price} a GB`
    : `${quantity} at ${unit_price}`;
