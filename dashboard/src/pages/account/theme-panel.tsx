import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { Panel } from '../../ui/panel.tsx';

const SCHEMES: readonly { readonly value: MantineColorScheme; readonly label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

/** The same choice as in the menu of the account. */
export function ThemePanel() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Panel title="Theme" description="For this browser.">
      <SegmentedControl
        aria-label="Theme"
        size="sm"
        data={[...SCHEMES]}
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
      />
    </Panel>
  );
}
