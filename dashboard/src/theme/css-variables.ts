import type { CSSVariablesResolver, MantineTheme } from '@mantine/core';

/**
 * The CSS variables of the dashboard, in the light and the dark scheme: surfaces, lines, and the tones of states. Each tone has
 * a text color with AA contrast on its own background and on the surfaces, a background color, and a solid color for marks.
 */
const variables = ({
  colors,
}: MantineTheme): Readonly<Record<string, readonly [light: string, dark: string]>> => {
  const accent = colors.accent!;
  return {
    '--mantine-color-dimmed': [colors.gray[6], colors.dark[2]],
    '--mantine-color-placeholder': ['#6d7280', '#888d9c'],
    '--mantine-color-default-border': [colors.gray[3], colors.dark[4]],
    '--mantine-color-error': ['#c22b2b', '#ff8b8b'],
    '--mantine-color-anchor': [accent[6], accent[3]],
    '--sl-canvas': ['#f7f8fa', '#0c0d11'],
    '--sl-surface': ['#ffffff', '#121318'],
    '--sl-surface-raised': ['#ffffff', '#181a20'],
    '--sl-surface-sunken': ['#f4f5f8', '#0e0f13'],
    '--sl-hover': ['#f1f2f6', '#1a1c23'],
    '--sl-selected': ['#eceef4', '#1f222a'],
    '--sl-line': ['#e6e8ed', '#22252d'],
    '--sl-line-strong': ['#d3d7df', '#343843'],
    '--sl-text': ['#15171d', '#eceef3'],
    '--sl-text-soft': ['#434855', '#c3c7d2'],
    '--sl-text-dimmed': ['#5e6371', '#959aa9'],
    '--sl-accent-text': [accent[7], accent[3]],
    '--sl-accent-soft': [accent[0], '#1a2242'],
    '--sl-green': ['#12704a', '#5fd3a0'],
    '--sl-green-soft': ['#e3f5ec', '#11291f'],
    '--sl-green-solid': ['#1f9d68', '#2fb67c'],
    '--sl-amber': ['#8a5200', '#f0be65'],
    '--sl-amber-soft': ['#fdf1dc', '#2c2310'],
    '--sl-amber-solid': ['#e0950f', '#e2a02c'],
    '--sl-orange': ['#a8430b', '#ffa477'],
    '--sl-orange-soft': ['#fdece2', '#311c11'],
    '--sl-orange-solid': ['#e56a24', '#ea7838'],
    '--sl-red': ['#b3242a', '#ff9292'],
    '--sl-red-soft': ['#fdeaea', '#341719'],
    '--sl-red-solid': ['#dc4046', '#e5565b'],
    '--sl-violet': ['#6a3ab8', '#c4a5f7'],
    '--sl-violet-soft': ['#f1ebfc', '#241a37'],
    '--sl-violet-solid': ['#8657d6', '#9a70e3'],
    '--sl-blue': [accent[7], accent[3]],
    '--sl-blue-soft': [accent[0], '#1a2242'],
    '--sl-blue-solid': [accent[5], accent[4]],
    '--sl-slate': ['#4c5160', '#b0b5c2'],
    '--sl-slate-soft': ['#eef0f4', '#1f222a'],
    '--sl-slate-solid': ['#8b909e', '#7a8090'],
    '--sl-shadow-card': ['0 1px 2px rgb(21 23 29 / 4%)', 'none'],
  };
};

export const cssVariables: CSSVariablesResolver = (theme) => {
  const inScheme = (index: 0 | 1) =>
    Object.fromEntries(Object.entries(variables(theme)).map(([name, values]) => [name, values[index]]));
  return {
    variables: {},
    light: inScheme(0),
    dark: {
      ...inScheme(1),
      '--mantine-color-default': '#15171c',
      '--mantine-color-default-hover': '#1e2027',
    },
  };
};
