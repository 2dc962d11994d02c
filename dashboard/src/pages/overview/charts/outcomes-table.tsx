import { formatCount } from '../../../ui/format.ts';
import { OUTCOMES } from '../../../ui/outcome.tsx';
import { OUTCOME_NAMES } from './outcome-patterns.tsx';
import { StepsTable, type StepsTableProps } from './steps-table.tsx';

/** The chart of outcomes, to be read. */
export function OutcomesTable(props: StepsTableProps) {
  const present = OUTCOME_NAMES.filter((outcome) =>
    props.steps.some(({ outcomes }) => (outcomes[outcome] ?? 0) > 0),
  );
  return (
    <StepsTable
      {...props}
      caption="Outcomes over time, step by step"
      columns={[
        { name: 'Scrapes', of: ({ scrapes }) => formatCount(scrapes) },
        ...present.map((outcome) => ({
          name: OUTCOMES[outcome].label,
          of: ({ outcomes }: StepsTableProps['steps'][number]) => formatCount(outcomes[outcome] ?? 0),
        })),
      ]}
    />
  );
}
