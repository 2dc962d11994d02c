import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';

interface OrderSelectProps<Order extends string> {
  /** The label of the default order, whose value is undefined. */
  readonly first: string;
  /** The other orders with their labels. */
  readonly orders: Readonly<Record<Order, string>>;
  readonly value: Order | undefined;
  readonly onChange: (order: Order | undefined) => void;
}

/** Chooses the order of a list. */
export function OrderSelect<Order extends string>(props: OrderSelectProps<Order>) {
  const { first, orders, value, onChange } = props;
  return (
    <NativeSelect
      aria-label={t`Order`}
      data={[
        { value: '', label: first },
        ...Object.entries<string>(orders).map(([order, label]) => ({ value: order, label })),
      ]}
      value={value ?? ''}
      onChange={({ currentTarget: { value: order } }) => onChange((order || undefined) as Order | undefined)}
    />
  );
}
