import type { Messages } from '@lingui/core';

interface Language {
  /** The code of the language in `<html lang>` and for `Intl`. */
  readonly code: string;
  /** Its name in the language itself. */
  readonly name: string;
  /** Whether the catalog has a translation of every text. Only complete languages are offered; `npm run check` checks them. */
  readonly complete: boolean;
  readonly load: () => Promise<{ readonly messages: Messages }>;
}

/** The languages with a catalog. English has none: its texts are in the source. */
export const TRANSLATIONS: readonly Language[] = [
  { code: 'de', name: 'Deutsch', complete: true, load: () => import('../locales/de.po') },
  { code: 'fr', name: 'Français', complete: true, load: () => import('../locales/fr.po') },
  { code: 'es', name: 'Español', complete: true, load: () => import('../locales/es.po') },
  { code: 'ja', name: '日本語', complete: true, load: () => import('../locales/ja.po') },
  { code: 'zh', name: '简体中文', complete: true, load: () => import('../locales/zh.po') },
];
