import { Select } from '@mantine/core';
import classes from './form.module.css';
import { useField, useRequestForm } from './form-context.ts';
import { ReasonedOption } from './reasoned-option.tsx';

/** Every scraper that there is; those that cannot be used here with the reason. */
export function ScraperField() {
  const { offer } = useRequestForm();
  const { value, pointer, error, set } = useField(['scraper']);
  const reasons = new Map(offer.scrapers.map(({ name, reason }) => [name, reason]));
  const shown = typeof value === 'string' ? value : 'auto';
  return (
    <Select
      label="Scraper"
      description="auto picks the cheapest scraper likely to work, and falls back to others if it fails."
      data={[
        ...(reasons.has(shown) ? [] : [{ value: shown, label: shown, disabled: true }]),
        ...offer.scrapers.map(({ name, available }) => ({
          value: name,
          label: name,
          // Auto says itself why it has nothing to choose from.
          disabled: !available && name !== 'auto',
        })),
      ]}
      classNames={{ option: classes.choice }}
      renderOption={({ option }) => (
        <ReasonedOption label={option.label} reason={reasons.get(option.value)} />
      )}
      value={shown}
      onChange={(next) => set(next === 'auto' || next === null ? undefined : next)}
      error={error}
      data-pointer={pointer}
      maw={420}
    />
  );
}
