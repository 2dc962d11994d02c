import type { MantineColorsTuple } from '@mantine/core';

/** The one accent: a clear blue, far from every colour that means an outcome. White on 6 has a contrast of 5.5. */
export const accent: MantineColorsTuple = [
  '#eef3ff',
  '#dce6ff',
  '#b9ccff',
  '#93aefc',
  '#708ff5',
  '#4f71ec',
  '#3557dd',
  '#2a47bd',
  '#263d9b',
  '#22357d',
];

/** Cool greys of the light scheme. 6 is the dimmed text: 5.9 on white. */
export const gray: MantineColorsTuple = [
  '#f8f9fb',
  '#f1f2f5',
  '#e7e9ee',
  '#dbdee5',
  '#c8ccd6',
  '#8b909e',
  '#5e6371',
  '#434855',
  '#2b2f3a',
  '#15171d',
];

/** The dark scheme, from its text (0) to what lies below everything (9). 2 is the dimmed text: 6 on 7. */
export const dark: MantineColorsTuple = [
  '#e4e6ec',
  '#b9bdc9',
  '#959aa9',
  '#686d7c',
  '#343843',
  '#262932',
  '#1b1d24',
  '#121318',
  '#0c0d11',
  '#070809',
];
