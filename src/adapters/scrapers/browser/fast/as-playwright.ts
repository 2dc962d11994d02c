/**
 * What playwright-core tells a page of a browser without windows, on Linux: the lanes show the same page. Contract §1 has the size of
 * the viewport.
 */
export const SCREEN = {
  mobile: false,
  width: 1280,
  height: 720,
  screenWidth: 1280,
  screenHeight: 720,
  deviceScaleFactor: 1,
  screenOrientation: { angle: 0, type: 'landscapePrimary' },
} as const;

export const MEDIA = {
  media: '',
  features: [
    { name: 'prefers-color-scheme', value: 'light' },
    { name: 'prefers-reduced-motion', value: 'no-preference' },
    { name: 'forced-colors', value: 'none' },
    { name: 'prefers-contrast', value: 'no-preference' },
  ],
};

export const FONTS = {
  fontFamilies: {
    standard: 'Times New Roman',
    fixed: 'Monospace',
    serif: 'Times New Roman',
    sansSerif: 'Arial',
    cursive: 'Comic Sans MS',
    fantasy: 'Impact',
  },
};
