import { i18n } from '@lingui/core';
import { TRANSLATIONS } from './languages.ts';

/**
 * Translates what the service says in English. Texts without a translation stay as they are. The translations are loaded when they are
 * first needed; `npm run check` compares them with the service.
 * @param kind `Service`: the titles and the advice of its table of error codes; `Fields`: the descriptions of the members of a request
 */
export async function serviceTexts(
  kind: 'Service' | 'Fields' = 'Service',
): Promise<(text: string) => string> {
  const language = TRANSLATIONS.find(({ code }) => code === i18n.locale);
  // If they cannot be loaded, English texts are better than none.
  const texts = (await language?.[`load${kind}`]().catch(() => null))?.default ?? {};
  return (text) => texts[text] ?? text;
}
