import { i18n } from '@lingui/core';
import { TRANSLATIONS } from './languages.ts';

/**
 * Translates what the service says in English: the titles and the advice of its table of error codes. Texts that are not in the table
 * stay as they are. The translations are loaded when they are first needed; `npm run check` compares them with the table.
 */
export async function serviceTexts(): Promise<(text: string) => string> {
  const language = TRANSLATIONS.find(({ code }) => code === i18n.locale);
  // If they cannot be loaded, English texts are better than none.
  const texts = (await language?.loadService().catch(() => null))?.default ?? {};
  return (text) => texts[text] ?? text;
}
