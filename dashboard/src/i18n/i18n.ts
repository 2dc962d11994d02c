/**
 * The language of the dashboard. Modules with texts import this one (Lingui's macros add the import), so that the catalog is
 * loaded before they are evaluated: constants of modules may be texts. English has no catalog, and is not waited for.
 */
import { i18n, type Messages } from '@lingui/core';
import { compileMessage } from './compile-message.ts';
import { TRANSLATIONS } from './languages.ts';

export { i18n };

const STORED = 'sluice-language';
const offered = TRANSLATIONS.filter(({ complete }) => complete);

/** The languages to choose from, by their code; empty if there is only English. */
export const LANGUAGES: readonly (readonly [code: string, name: string])[] =
  offered.length === 0 ? [] : [['en', 'English'], ...offered.map(({ code, name }) => [code, name] as const)];

/** The code of the chosen language, or else of the first one of the browser that is offered. */
function preferredLanguage(): string {
  const wanted = [storedLanguage(), ...navigator.languages.map((tag) => tag.split('-')[0])];
  return wanted.find((code) => code === 'en' || offered.some((language) => language.code === code)) ?? 'en';
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    // The browser refuses to store anything.
    return null;
  }
}

/** Chooses a language, and loads the page again: texts of modules are only evaluated once. */
export function chooseLanguage(code: string): void {
  try {
    localStorage.setItem(STORED, code);
  } catch {
    return;
  }
  location.reload();
}

async function loadCatalog(code: string): Promise<Messages | null> {
  try {
    return (await offered.find((language) => language.code === code)!.load()).messages;
  } catch {
    // The service cannot be reached, or was updated: English texts are better than none.
    return null;
  }
}

i18n.setMessagesCompiler(compileMessage);
const preferred = preferredLanguage();
const catalog = preferred === 'en' ? null : await loadCatalog(preferred);

/** The code of the language of all texts. */
export const LANGUAGE: string = catalog === null ? 'en' : preferred;
/** For `Intl`, for dates. */
export const DATE_LOCALE: string = LANGUAGE === 'en' ? 'en-GB' : LANGUAGE;
i18n.loadAndActivate({ locale: LANGUAGE, messages: catalog ?? {} });
