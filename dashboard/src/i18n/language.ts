import { i18n, type Messages } from '@lingui/core';
import { compileMessage } from './compile-message.ts';
import { TRANSLATIONS } from './languages.ts';

const STORED = 'sluice-language';
const offered = TRANSLATIONS.filter(({ complete }) => complete);

/** The languages to choose from: their codes and names; empty if there is only English. */
export const LANGUAGES: readonly (readonly [code: string, name: string])[] =
  offered.length === 0 ? [] : [['en', 'English'], ...offered.map(({ code, name }) => [code, name] as const)];

/** Sets the language: the chosen one, or else the first one of the browser that is offered, or else English. */
export async function setLanguage(): Promise<void> {
  i18n.setMessagesCompiler(compileMessage);
  const wanted = [storedLanguage(), ...navigator.languages.map((tag) => tag.split('-')[0])];
  const code = wanted.find((code) => code === 'en' || offered.some((language) => language.code === code));
  const load = offered.find((language) => language.code === code)?.load;
  // If the catalog cannot be loaded, English texts are better than none.
  const messages = (await load?.().catch(() => null))?.messages;
  activate(messages === undefined || code == null ? 'en' : code, messages ?? {});
}

function activate(locale: string, messages: Messages): void {
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale;
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    // The browser refuses to store anything.
    return null;
  }
}

/** Chooses a language, and loads the page again, because texts in constants of modules are evaluated only once. */
export function chooseLanguage(code: string): void {
  localStorage.setItem(STORED, code);
  location.reload();
}
