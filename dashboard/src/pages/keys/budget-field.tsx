import { NativeSelect, NumberInput, Stack } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { scrapersQuery } from '../../api/playground.ts';
import type { KeyValues } from './key-values.ts';

interface BudgetFieldProps {
  readonly unit: KeyValues['budget_unit'];
  readonly onUnitChange: (unit: KeyValues['budget_unit']) => void;
  /** Of the field of the form. */
  readonly amount: GetInputPropsReturnType;
}

/** The daily budget: in scrapes, and where the operator has prices also in money. */
export function BudgetField({ unit, onUnitChange, amount }: BudgetFieldProps) {
  const { data } = useQuery(scrapersQuery);
  const currency = data === undefined || data.cost_unit === 'effort' ? null : data.cost_unit;
  const inMoney = unit === 'cost';
  return (
    <Stack gap="xs">
      <NumberInput
        label={inMoney ? 'Cost per day' : 'Scrapes per day'}
        placeholder="No limit"
        description="Resets at 00:00 UTC. Leave empty for no daily limit."
        min={0}
        clampBehavior="none"
        allowDecimal={inMoney}
        decimalScale={6}
        allowNegative={false}
        thousandSeparator=","
        {...amount}
      />
      {(currency !== null || inMoney) && (
        <NativeSelect
          aria-label="Unit of the daily budget"
          value={unit}
          onChange={({ currentTarget: { value } }) => onUnitChange(value === 'cost' ? 'cost' : 'scrapes')}
        >
          <option value="scrapes">Scrapes</option>
          <option value="cost">{currency === null ? 'Costs' : `Costs in ${currency}`}</option>
        </NativeSelect>
      )}
    </Stack>
  );
}
