import { t } from '@lingui/core/macro';
import { createTheme, localStorageColorSchemeManager, type MantineColorsTuple } from '@mantine/core';
import classes from './components.module.css';

/** Stores the color scheme in this browser: light, dark, or that of the system. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'sluice-color-scheme' });

/** The accent color: a blue that is clearly different from all colors of outcomes. White on shade 6 has a contrast of 5.5. */
const accent: MantineColorsTuple = [
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

/** Cool grays of the light scheme. Shade 6 is for dimmed text: contrast 5.9 on white. */
const gray: MantineColorsTuple = [
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

/** The dark scheme, from text (0) to background (9). Shade 2 is for dimmed text: contrast 6 on shade 7. */
const dark: MantineColorsTuple = [
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

const SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, monospace";

/** Attributes for dialogs: screen readers would announce their `<header>` as a second banner of the page. */
const plainHeader = { header: { role: 'presentation' } };

export const theme = createTheme({
  colors: { accent, gray, dark },
  primaryColor: 'accent',
  primaryShade: 6,
  white: '#ffffff',
  black: '#15171d',
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.55', xl: '1.6' },
  headings: {
    fontFamily: SANS,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.45' },
      h4: { fontSize: '0.875rem', lineHeight: '1.5' },
    },
  },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '14px' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  shadows: {
    xs: '0 1px 2px rgb(10 12 18 / 6%)',
    sm: '0 1px 3px rgb(10 12 18 / 8%)',
    md: '0 4px 14px rgb(10 12 18 / 10%), 0 1px 3px rgb(10 12 18 / 6%)',
    lg: '0 12px 32px rgb(10 12 18 / 14%), 0 2px 6px rgb(10 12 18 / 6%)',
    xl: '0 24px 64px rgb(10 12 18 / 20%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  // By name, because `Button.extend` would include every component in the initial chunk.
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 32 } },
    Alert: { defaultProps: { variant: 'light', radius: 'lg' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } },
    Button: { defaultProps: { size: 'sm' }, classNames: { root: classes.button } },
    Checkbox: { defaultProps: { size: 'sm', radius: 'sm' } },
    Drawer: {
      defaultProps: { closeButtonProps: { 'aria-label': t`Close` }, attributes: plainHeader },
      classNames: { title: classes.dialogTitle },
    },
    Input: { defaultProps: { size: 'sm' }, classNames: { input: classes.input } },
    InputWrapper: {
      defaultProps: { size: 'sm', inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      classNames: {
        root: classes.field,
        label: classes.label,
        description: classes.description,
        error: classes.error,
      },
    },
    Loader: { defaultProps: { size: 'sm' } },
    Menu: {
      // The focus placeholder is not a menu item, and a menu must contain only items.
      defaultProps: { shadow: 'lg', radius: 'lg', offset: 6, withInitialFocusPlaceholder: false },
      classNames: { dropdown: classes.floating, item: classes.menuItem, label: classes.menuLabel },
    },
    Modal: {
      defaultProps: {
        radius: 'xl',
        centered: true,
        shadow: 'xl',
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
        closeButtonProps: { 'aria-label': t`Close` },
        attributes: plainHeader,
      },
      classNames: { content: classes.modal, header: classes.modalHeader, title: classes.dialogTitle },
    },
    Paper: { defaultProps: { radius: 'lg', withBorder: true } },
    Popover: {
      defaultProps: { shadow: 'lg', radius: 'lg' },
      classNames: { dropdown: classes.floating },
    },
    SegmentedControl: {
      defaultProps: { size: 'xs', radius: 'md' },
      classNames: { root: classes.segments, label: classes.segment },
    },
    Select: { defaultProps: { allowDeselect: false, checkIconPosition: 'right' } },
    Skeleton: { defaultProps: { radius: 'sm' } },
    Switch: { defaultProps: { size: 'sm' } },
    Table: { defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'md' } },
    Tabs: { classNames: { tab: classes.tab, list: classes.tabList } },
    Tooltip: {
      defaultProps: { openDelay: 250, radius: 'md', events: { hover: true, focus: true, touch: false } },
      classNames: { tooltip: classes.tooltip },
    },
  },
});
