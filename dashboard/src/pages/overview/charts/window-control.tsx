import { t } from '@lingui/core/macro';
import { SegmentedControl } from '@mantine/core';
import type { StatsWindow } from '../../../api/stats.ts';
import { WINDOW_CHOICES } from '../stats-scope.ts';

interface WindowControlProps {
  readonly value: StatsWindow;
  readonly onChange: (window: StatsWindow) => void;
}

/** The time that the charts of a page show. */
export function WindowControl({ value, onChange }: WindowControlProps) {
  return (
    <SegmentedControl
      aria-label={t`Window`}
      value={value}
      data={WINDOW_CHOICES.map(({ value, label }) => ({ value, label }))}
      onChange={(window) => onChange(window as StatsWindow)}
    />
  );
}
