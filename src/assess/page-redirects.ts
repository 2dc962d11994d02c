/** A longer script does more than redirect. */
export const MAX_REDIRECT_SCRIPT_LENGTH = 2_000;
/** Later redirects are not waited for. */
const MAX_DELAY_S = 1;

/** A redirect by the page itself, not by the status of the response. */
export interface PageRedirect {
  readonly how: 'refresh-header' | 'meta-refresh' | 'script-redirect';
  /** As written in the page; '' is the page itself; null: the script computes it. */
  readonly to: string | null;
}

/**
 * The URL of a `Refresh` header or of `<meta http-equiv="refresh">` (HTML, "shared declarative refresh steps"); '' is the
 * page itself. null: there is none, or it comes after more than a second.
 */
export function refreshUrl(content: string): string | null {
  const match = /^\s*(?=[\d.])(\d*)[\d.]*(?:(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(.*))?$/is.exec(content);
  if (match === null || Number(match[1]) > MAX_DELAY_S) return null;
  const [, , url = ''] = match;
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
/** A redirect with this in its script depends on a condition, or on what the user does. */
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
 * Where a script redirects unconditionally and within a second; undefined: it does not, as far as can be seen. Scripts with
 * conditions are not analysed: a page that shows nothing else is a shell anyway.
 * @param caller other script of the page that may call its functions
 */
export function scriptRedirectUrl(script: string, caller = ''): string | null | undefined {
  if (script.length > MAX_REDIRECT_SCRIPT_LENGTH || !script.includes('location')) return undefined;
  const source = script.replaceAll(TEXT_TIMER, '$1$3');
  const bare = source.replaceAll(STRINGS_AND_COMMENTS, (text) => (/^[/<]/.test(text) ? ' ' : "''"));
  if (!LEAVES.test(bare) || DEPENDS.test(bare) || WAITS_FOR_EVENT.test(source) || TO_ITSELF.test(bare))
    return undefined;
  const words: readonly string[] = `${bare} ${caller}`.match(/[\w$]+/g) ?? [];
  for (const [, declared, assigned] of bare.matchAll(FUNCTIONS)) {
    const name = declared ?? assigned!;
    // Nothing in the script calls the function: an event does.
    if (name !== 'onload' && words.indexOf(name) === words.lastIndexOf(name)) return undefined;
  }
  for (const [, delay] of bare.matchAll(DELAYS)) {
    const ms = delay!.split('*').reduce((product, factor) => product * Number(factor), 1);
    if (ms > MAX_DELAY_S * 1000) return undefined;
  }
  return LITERAL.exec(source)?.[2] ?? null;
}

/** Where a redirect leads; `nowhere`: to nothing that a scraper fetches. @param url of the page */
export function redirectDestination(to: string | null, url: string): 'elsewhere' | 'itself' | 'nowhere' {
  if (to === null) return 'elsewhere';
  const target = URL.parse(to, url);
  if (target === null || !/^https?:$/.test(target.protocol)) return 'nowhere';
  const page = new URL(url);
  target.hash = '';
  page.hash = '';
  return target.href === page.href ? 'itself' : 'elsewhere';
}
