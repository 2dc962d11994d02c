/** A script that is longer does more than to lead to another page. */
export const MAX_REDIRECT_SCRIPT_LENGTH = 2_000;
/** What a page means to do later is not waited for. */
const MAX_DELAY_S = 1;

/** A page sends its reader on by itself. */
export interface PageRedirect {
  readonly how: 'refresh-header' | 'meta-refresh' | 'script-redirect';
  /** As the page writes it; '' is the page itself; null: the script computes it. */
  readonly to: string | null;
}

/**
 * The URL of a declarative refresh (HTML, "shared declarative refresh steps"), of a header or a `meta`; '' is the page
 * itself. null: it is none, or comes later than within a second.
 */
export function refreshUrl(content: string): string | null {
  const parts = /^\s*(?=[\d.])(\d*)[\d.]*(?:(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(.*))?$/is.exec(content);
  if (parts === null || Number(parts[1]) > MAX_DELAY_S) return null;
  const [, , url = ''] = parts;
  const quote = url[0];
  if (quote !== '"' && quote !== "'") return url.trim();
  const end = url.indexOf(quote, 1);
  return url.slice(1, end === -1 ? undefined : end).trim();
}

const STRINGS_AND_COMMENTS =
  /\/\/[^\n]*|<!--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*(?:`|$)/g;
const TEXT_TIMER = /(\bset(?:Timeout|Interval)\s*\(\s*)(["'])([^\n]{0,200}?)\2(?=\s*[,)])/g;
const LEAVES =
  /(?:^|[^\w$.])(?:(?:window|document|self|top|globalThis)\s*\.\s*)*location\s*(?:(?:\.\s*href\s*)?=(?![=>])|\.\s*(?:replace|assign)\s*\()/;
/** Of the scripts that lead elsewhere: on a condition, or when the reader does something. */
const DEPENDS =
  /\b(?:if|else|switch|for|while|catch|confirm|prompt)\b|\?|&&|\|\||\bon(?!load\b)\w+\s*=|\.(?:click|on|submit|change|bind|delegate)\s*\(/;
const WAITS_FOR_EVENT =
  /\baddEventListener\s*\(\s*(['"`])(?!(?:load|DOMContentLoaded|pageshow|readystatechange)\1)/;
const TO_ITSELF =
  /\blocation\s*[^;=(]{0,40}[=(]\s*(?:(?:window|document|self)\.)?location(?:\.href)?\s*[;)}]/;
const FUNCTIONS =
  /\bfunction\s+([\w$]+)|(?<![\w$])([\w$]+)\s*[=:]\s*(?:async\s+)?(?:function\b|\([^()]{0,100}\)\s*=>|[\w$]+\s*=>)/g;
const DELAYS = /,\s*([\d\s*]{1,20})\)/g;
const LITERAL =
  /\blocation\s*(?:(?:\.\s*href\s*)?=|\.\s*(?:replace|assign)\s*\()\s*(['"`])([^'"`\\$]*)\1\s*(?:[;),}\n]|$)/;

/**
 * Where a script leads by itself, whatever happens and within a second; undefined: it does not, as far as can be seen.
 * Scripts that ask for something first are not followed with the eye: a page that shows nothing else is a shell anyway.
 * @param called by what else in the page its functions may be called
 */
export function scriptRedirectUrl(script: string, called = ''): string | null | undefined {
  if (script.length > MAX_REDIRECT_SCRIPT_LENGTH || !script.includes('location')) return undefined;
  const source = script.replaceAll(TEXT_TIMER, '$1$3');
  const bare = source.replaceAll(STRINGS_AND_COMMENTS, (text) => (/^[/<]/.test(text) ? ' ' : "''"));
  if (!LEAVES.test(bare) || DEPENDS.test(bare) || WAITS_FOR_EVENT.test(source) || TO_ITSELF.test(bare))
    return undefined;
  const words: readonly string[] = `${bare} ${called}`.match(/[\w$]+/g) ?? [];
  for (const [, declared, assigned] of bare.matchAll(FUNCTIONS)) {
    const name = declared ?? assigned!;
    // Nothing in it calls the function: the reader does.
    if (name !== 'onload' && words.indexOf(name) === words.lastIndexOf(name)) return undefined;
  }
  for (const [, delay] of bare.matchAll(DELAYS)) {
    const ms = delay!.split('*').reduce((product, factor) => product * Number(factor), 1);
    if (ms > MAX_DELAY_S * 1000) return undefined;
  }
  return LITERAL.exec(source)?.[2] ?? null;
}

/** What kind of place is led to; `nowhere`: nothing that a scraper fetches. @param url of the page */
export function redirectDestination(to: string | null, url: string): 'elsewhere' | 'itself' | 'nowhere' {
  if (to === null) return 'elsewhere';
  const there = URL.parse(to, url);
  if (there === null || !/^https?:$/.test(there.protocol)) return 'nowhere';
  const here = new URL(url);
  there.hash = '';
  here.hash = '';
  return there.href === here.href ? 'itself' : 'elsewhere';
}
