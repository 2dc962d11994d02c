import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { type Icon, IconDevice, IconMoon, IconSun } from '../ui/icons.tsx';

const SCHEMES: readonly (readonly [scheme: MantineColorScheme, label: string, icon: Icon])[] = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'System', IconDevice],
];

/** Part of a menu: light, dark, or what the system says. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
      <Menu.Label>Theme</Menu.Label>
      {SCHEMES.map(([scheme, label, Icon]) => (
        <Menu.RadioItem
          key={scheme}
          value={scheme}
          closeMenuOnClick={false}
          rightSection={<Icon size={16} />}
        >
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}
