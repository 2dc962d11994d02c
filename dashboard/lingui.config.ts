import { formatter } from '@lingui/format-po';
import { createSwcExtractor } from '@lingui/native-tools';

/** Read by `lingui extract`, by `scripts/check-translations.ts` and by the bundler. */
export default {
  sourceLocale: 'en',
  locales: ['de', 'fr', 'es', 'ja', 'zh'],
  catalogs: [{ path: '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'] }],
  extractors: [createSwcExtractor()],
  // The places of a text would change all catalogs with each move of a source file.
  format: formatter({ origins: false }),
};
