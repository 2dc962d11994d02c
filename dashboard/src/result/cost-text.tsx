import type { RouterShape } from './scrape-shape.ts';

export function CostText({ router }: { readonly router: RouterShape }) {
  const { request_cost, cost_unit = '', attempts = [] } = router;
  if (request_cost !== null)
    return (
      <span className="tabular">
        {request_cost} {cost_unit}
      </span>
    );
  const priced = attempts.flatMap(({ cost }) => cost ?? []);
  if (priced.length === 0) return <span>no price configured</span>;
  const sum = Number(priced.reduce((a, b) => a + b, 0).toPrecision(12));
  const rest = attempts.length - priced.length;
  return (
    <span className="tabular">
      at least {sum} {cost_unit}: {rest} of {attempts.length} attempts {rest === 1 ? 'has' : 'have'} no price
    </span>
  );
}
