/** Longer scripts are not analysed: they do more than redirect. */
export const MAX_REDIRECT_SCRIPT_LENGTH = 2_000;
/** A redirect after a longer delay does not count: until then, the page is shown to its readers. */
const MAX_DELAY_S = 1;

/** A redirect by a `Refresh` header, markup or script, not by a 3xx status. */
export interface PageRedirect {
  readonly how: 'refresh-header' | 'meta-refresh' | 'script-redirect';
  /** The URL as written in the page; '' means the page itself; null: the script computes the URL. */
  readonly to: string | null;
}

/**
 * The URL of a `Refresh` header or of `<meta http-equiv="refresh">` (HTML, "shared declarative refresh steps"); '' means
 * the page itself. Null: there is none, or the delay is more than a second.
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
/** A timer whose code is a string. */
const TEXT_TIMER = /(\bset(?:Timeout|Interval)\s*\(\s*)(["'])([^\n]{0,200}?)\2(?=\s*[,)])/g;
/** Assigns or calls something of `location`. */
const SETS_LOCATION =
  /(?:^|[^\w$.])(?:(?:window|document|self|top|globalThis)\s*\.\s*)*location\s*(?:(?:\.\s*href\s*)?=(?![=>])|\.\s*(?:replace|assign)\s*\()/;
/** A script with one of these redirects only on a condition, or after an action of the user. */
const IS_CONDITIONAL =
  /\b(?:if|else|switch|for|while|catch|confirm|prompt)\b|\?|&&|\|\||\bon(?!load\b)\w+\s*=|\.(?:click|on|submit|change|bind|delegate)\s*\(/;
/** Listens to an event that does not belong to loading the page. */
const WAITS_FOR_EVENT =
  /\baddEventListener\s*\(\s*(['"`])(?!(?:load|DOMContentLoaded|pageshow|readystatechange)\1)/;
/** Sets `location` to itself. */
const RELOADS_ITSELF =
  /\blocation\s*[^;=(]{0,40}[=(]\s*(?:(?:window|document|self)\.)?location(?:\.href)?\s*[;)}]/;
/** Names of functions that the script defines. */
const FUNCTIONS =
  /\bfunction\s+([\w$]+)|(?<![\w$])([\w$]+)\s*[=:]\s*(?:async\s+)?(?:function\b|\([^()]{0,100}\)\s*=>|[\w$]+\s*=>)/g;
/** The last argument of a call, if it is a number: the delay of a timer. */
const DELAYS = /,\s*([\d\s*]{1,20})\)/g;
/** A redirect to a URL that is a string literal. */
const LITERAL =
  /\blocation\s*(?:(?:\.\s*href\s*)?=|\.\s*(?:replace|assign)\s*\()\s*(['"`])([^'"`\\$]*)\1\s*(?:[;),}\n]|$)/;

/**
 * The URL to which a script redirects without conditions and within a second; null: it is computed; undefined: no such
 * redirect was found. Scripts with conditions are not analysed: if such a page shows nothing, it is a shell anyway.
 * @param caller another script of the page that may call functions of this one, such as `onload`
 */
export function scriptRedirectUrl(script: string, caller = ''): string | null | undefined {
  if (script.length > MAX_REDIRECT_SCRIPT_LENGTH || !script.includes('location')) return undefined;
  const source = script.replaceAll(TEXT_TIMER, '$1$3');
  const bare = source.replaceAll(STRINGS_AND_COMMENTS, (text) => (/^[/<]/.test(text) ? ' ' : "''"));
  if (
    !SETS_LOCATION.test(bare) ||
    IS_CONDITIONAL.test(bare) ||
    WAITS_FOR_EVENT.test(source) ||
    RELOADS_ITSELF.test(bare)
  )
    return undefined;
  const words: readonly string[] = `${bare} ${caller}`.match(/[\w$]+/g) ?? [];
  for (const [, declared, assigned] of bare.matchAll(FUNCTIONS)) {
    const name = declared ?? assigned!;
    // The script defines the function, but does not call it: only an event does.
    if (name !== 'onload' && words.indexOf(name) === words.lastIndexOf(name)) return undefined;
  }
  for (const [, delay] of bare.matchAll(DELAYS)) {
    const ms = delay!.split('*').reduce((product, factor) => product * Number(factor), 1);
    if (ms > MAX_DELAY_S * 1000) return undefined;
  }
  return LITERAL.exec(source)?.[2] ?? null;
}

/** Where a redirect leads; `nowhere`: its URL is invalid, or not http(s). @param url of the page */
export function redirectDestination(to: string | null, url: string): 'elsewhere' | 'itself' | 'nowhere' {
  if (to === null) return 'elsewhere';
  const target = URL.parse(to, url);
  if (target === null || !/^https?:$/.test(target.protocol)) return 'nowhere';
  const page = new URL(url);
  target.hash = '';
  page.hash = '';
  return target.href === page.href ? 'itself' : 'elsewhere';
}
