import type { Messages } from '@lingui/core';

type LoadTexts = () => Promise<{ readonly default: Readonly<Record<string, string>> }>;

interface Language {
  /** The code of the language in `<html lang>` and for `Intl`. */
  readonly code: string;
  /** Its name in the language itself. */
  readonly name: string;
  /** Whether the catalog has a translation of every text. Only complete languages are offered; `npm run check` checks them. */
  readonly complete: boolean;
  readonly load: () => Promise<{ readonly messages: Messages }>;
  /** The texts of the service, see service-texts.ts. */
  readonly loadService: LoadTexts;
  /** The descriptions of the members of a request. */
  readonly loadFields: LoadTexts;
}

/** The languages with a catalog. English has none: its texts are in the source. */
export const TRANSLATIONS: readonly Language[] = [
  {
    code: 'de',
    name: 'Deutsch',
    complete: true,
    load: () => import('../locales/de.po'),
    loadService: () => import('../locales/service/de.json'),
    loadFields: () => import('../locales/fields/de.json'),
  },
  {
    code: 'fr',
    name: 'Français',
    complete: true,
    load: () => import('../locales/fr.po'),
    loadService: () => import('../locales/service/fr.json'),
    loadFields: () => import('../locales/fields/fr.json'),
  },
  {
    code: 'es',
    name: 'Español',
    complete: true,
    load: () => import('../locales/es.po'),
    loadService: () => import('../locales/service/es.json'),
    loadFields: () => import('../locales/fields/es.json'),
  },
  {
    code: 'ja',
    name: '日本語',
    complete: true,
    load: () => import('../locales/ja.po'),
    loadService: () => import('../locales/service/ja.json'),
    loadFields: () => import('../locales/fields/ja.json'),
  },
  {
    code: 'zh',
    name: '简体中文',
    complete: true,
    load: () => import('../locales/zh.po'),
    loadService: () => import('../locales/service/zh.json'),
    loadFields: () => import('../locales/fields/zh.json'),
  },
];
