import { localStorageColorSchemeManager } from '@mantine/core';

/** Remembers in this browser whether its user wants light, dark, or what the system says. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'sluice-color-scheme' });
