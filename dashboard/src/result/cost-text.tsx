interface CostTextProps {
  /** null: nothing is known of it, because no price is configured. */
  readonly cost: number | null;
  readonly unit: string | undefined;
}

export function CostText({ cost, unit }: CostTextProps) {
  if (cost === null) return <span>no price configured</span>;
  return (
    <span className="tabular">
      {cost} {unit ?? ''}
    </span>
  );
}
