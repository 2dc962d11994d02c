import { computeMimeType, type MimeType } from '../content/charset/mime-type.ts';
import type { Page } from '../domain/fetch-result.ts';
import type { Verdict, VerdictKind } from '../domain/verdict.ts';
import { hasEnoughContent } from './content-check.ts';
import { endedAtSuspectUrl, ruleByHeaders, ruleByPage, ruleByUrl } from './match-rules.ts';
import { inspectPage, type JudgedPage, XHTML } from './page-facts.ts';
import { type PageRedirect, redirectDestination, refreshUrl } from './page-redirects.ts';
import { BLOCKING_STATUSES, type Rule } from './rule.ts';
import type { SeenPage, SiteTexts } from './text-comparison.ts';

/** Whether a response cannot have a body because of its method or status (RFC 9110 §6.4.1; 205: §15.3.6). */
export function hasNoBody(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304;
}

/** The page asks its reader to enable JavaScript. */
const ASKS_FOR_SCRIPTS =
  /(?:enable|requires?|turn on|needs?|activ\w{1,6}|habilit\w{1,6}|without|aktivier\w{0,3})[^<]{0,40}javascript|javascript[^<]{0,60}(?:enable|disabled|required|aktivier|activ|nötig|erforderlich|necessary|needed)/i;
/** A text that only says that the page is loading. Matches the whole text, not a page about a loading dock. */
const LOADING =
  /^(?:(?:the )?(?:page|app|application|site) is )?(?:loading|please wait|one moment|hold on|bitte warten|laden|(?:seite )?wird geladen|chargement(?: en cours)?|veuillez patienter|cargando|carregando|caricamento|загрузка|подождите|加载中|正在加载|请稍候|読み込み中|로딩 중|yükleniyor)(?:[ ,](?:please|wait|the|your|page|app|application|content|data|site|a moment|bitte|moment|while you wait|challenge|\w{1,20}(?=\.\.\.|…))){0,4}\W{0,5}$/i;
/** The same words within other text, such as a navigation. `â€¦` is an ellipsis decoded with the wrong charset. */
const SAYS_LOADING =
  /(?:^|\s)(?:loading|please wait|wird geladen|chargement|cargando)[^.…]{0,40}(?:\.{3}|…|â€¦)/i;
const SETS_LOCATION =
  /\b(?:window|document|top|self)?\.?location(?:\.href|\.assign|\.replace)?\s{0,3}[=(](?!=)/;
/** Traces of a page that was rendered on the server, and that scripts take over (hydration). */
const HYDRATED =
  /__NEXT_DATA__|__NUXT__|window\.__INITIAL_STATE__|self\.__next_f|data-reactroot|data-server-rendered/;

const SHORT_TEXT = 600;
/** Sum of weights from which a page counts as a shell. */
const SHELL_THRESHOLD = 3;

/**
 * Why the page seems to be a shell, which only scripts fill: empty mount points, a `noscript` text that asks for scripts,
 * little text. Each reason has a weight. A page that was rendered on the server shows all of its text, even if it is hydrated
 * later. Empty if the page does not need scripts.
 */
function shellReasons(page: JudgedPage): readonly string[] {
  const { text, scripts, mount, noscript, inline } = page;
  const { length } = text;
  const reasons: [reason: string, weight: number][] = [];
  const add = (reason: string, weight: number) => reasons.push([reason, weight]);
  if (mount === 'empty') add('empty-root', length < SHORT_TEXT ? 3 : 1);
  else if (mount === 'filled' && length < 80) add('bare-root', 2);
  if (length < 400 && ASKS_FOR_SCRIPTS.test(noscript)) add('noscript-asks', 2);
  if (length < 200 && SETS_LOCATION.test(inline)) add('script-redirect', 2);
  if (scripts > 0 && page.media < 2 && (length === 0 || LOADING.test(text))) add('nothing-shown', 2);
  if (scripts > 0 && length < 400 && SAYS_LOADING.test(text)) add('says-loading', 3);
  // Without one of the reasons above, little text is no sign of a shell: small pages exist.
  if (reasons.length === 0 || scripts === 0) return [];
  if (length < 80) add('thin', 1);
  if (page.blocks + page.links < 3) add('no-blocks', 1);
  if (length > SHORT_TEXT && HYDRATED.test(page.html)) add('hydrated', -2);
  if (mount === 'none' && page.media > 1) add('media', -1);
  const total = reasons.reduce((sum, [, weight]) => sum + weight, 0);
  return total >= SHELL_THRESHOLD ? reasons.map(([reason]) => reason) : [];
}

/** Whether the page has scripts, but no text and no fields; at most one picture, such as a spinner. */
function hasScriptsOnly({ text, scripts, media, fields }: JudgedPage): boolean {
  return scripts > 0 && media < 2 && fields === 0 && (text === '' || LOADING.test(text));
}

/** Whether the page sets a cookie by script and reloads itself, which checks that scripts run. */
function isCookieCheck({ text, inline, links }: JudgedPage, refused: boolean): boolean {
  return (
    text.length < 200 &&
    links < 3 &&
    inline.length < 20_000 &&
    /document\.cookie\s{0,3}=(?!=)/.test(inline) &&
    // A redirect counts only with a refusal, because pages that choose a language also set a cookie and redirect.
    (/location\.reload\s{0,3}\(/.test(inline) || (refused && SETS_LOCATION.test(inline)))
  );
}

const statusVerdict = (kind: VerdictKind): Verdict =>
  Object.freeze({
    kind,
    confidence: 1,
    signals: Object.freeze(['status']),
    missing: kind === 'rate' ? 'rate' : null,
    wall: null,
  });

const OK_STATUS = statusVerdict('ok');
const RATE = statusVerdict('rate');
const ERROR_PAGE = statusVerdict('error_page');
const EMPTY = statusVerdict('empty');
const CONTENT: Verdict = Object.freeze({
  kind: 'ok',
  confidence: 0.98,
  signals: Object.freeze(['text']),
  missing: null,
  wall: null,
});
/** There is no sign against the page, but it is not certain either: it shows little, or it was cut. */
const PROBABLY_OK: Verdict = { ...CONTENT, confidence: 0.9, signals: Object.freeze(['no-signal']) };
const BLANK_PAGE: Verdict = { ...EMPTY, confidence: 0.9, signals: Object.freeze(['nothing-shown']) };

/** The verdict if there is no page. */
export const NET_VERDICT: Verdict = statusVerdict('net');

const HTML_TYPES = new Set(['text/html', XHTML]);
/** A longer body of an error response that is not HTML is data, not an explanation of the error. */
const MAX_ERROR_TEXT_BYTES = 8 * 1024;

export interface AssessOptions extends SeenPage {
  /** Remembered texts of sites; null: the page is not compared with others. */
  readonly texts: SiteTexts | null;
}

/**
 * The verdict on a page (contract §4). Precision is more important than recall: a page counts as blocked only if a header
 * says so, or if it shows hardly anything else. Scripts of a bot protection are on every page of the site, and prove nothing.
 * A 3xx, and a 4xx without signs of a block, are `ok`.
 */
export function assess(page: Page, options: AssessOptions): Verdict {
  const { statusCode, body } = page;
  const { url, scripted, texts } = options;
  const rule = ruleByHeaders(page) ?? ruleByUrl(page, url);
  if (rule !== null) return ruleVerdict(rule);
  if (!scripted && statusCode < 300 && page.method !== 'HEAD') {
    const refresh = refreshHeader(page);
    if (refresh !== null && redirectsAway(refresh, page, body.length)) return shellVerdict([refresh.how]);
  }
  if (body.length === 0 || hasNoBody(page.method, statusCode)) return withoutBody(page);
  if (page.undecoded || (statusCode >= 300 && statusCode < 400)) return verdictByStatus(statusCode);
  const mime = computeMimeType(
    page.contentTypeOverride === undefined ? page.headers : [['content-type', page.contentTypeOverride]],
    body,
  );
  const isHtml = HTML_TYPES.has(mime.essence);
  if (statusCode < 300) {
    if (!isHtml) return OK_STATUS;
    if (
      hasEnoughContent(body, { xhtml: mime.essence === XHTML, scripted }) &&
      !endedAtSuspectUrl(page, url)
    ) {
      texts?.noteContent(options);
      return CONTENT;
    }
  } else if (mime.kind === 'binary' || (!isHtml && body.length > MAX_ERROR_TEXT_BYTES))
    return verdictByStatus(statusCode);
  return assessMarkup(page, options, isHtml && mime.kind !== 'html' ? { ...mime, kind: 'html' } : mime);
}

function assessMarkup(page: Page, options: AssessOptions, mime: MimeType): Verdict {
  const facts = inspectPage(page.body, mime, { cut: page.cut !== null });
  const kind = mime.kind === 'html' || mime.kind === 'text' ? mime.kind : 'data';
  const rule = ruleByPage(page, options.url, facts, { isData: kind === 'data' });
  const verdict = rule === null ? assessWithoutRule(page, options, facts) : pageVerdict(rule, page, facts);
  // Not compared: data and truncated pages, which may be alike by chance, and error pages such as 404, which have the same
  // text at every URL.
  const { statusCode } = page;
  if (kind === 'data' || page.cut !== null || (statusCode >= 300 && !BLOCKING_STATUSES.has(statusCode)))
    return verdict;
  return options.texts?.compare(options, facts.text, rule?.id ?? null, verdict) ?? verdict;
}

/** The verdict on a page that no rule matches: by its status, or because it shows nothing. */
function assessWithoutRule(page: Page, { scripted }: AssessOptions, facts: JudgedPage): Verdict {
  const { statusCode } = page;
  const refused = isRefusingStatus(statusCode);
  if (!scripted && (statusCode < 300 || refused) && isCookieCheck(facts, refused)) return COOKIE_CHECK;
  if (statusCode >= 300 && page.cut === null && hasScriptsOnly(facts)) {
    if (refused && facts.mount === 'none') return SCRIPT_CHECK;
    if (!scripted) return shellVerdict(shellReasons(facts));
  }
  if (statusCode >= 300) {
    const { redirect, text } = facts;
    const isRedirected =
      redirect !== null && text === '' && !scripted && redirectsAway(redirect, page, text.length);
    return isRedirected ? shellVerdict([redirect.how]) : verdictByStatus(statusCode);
  }
  if (page.cut !== null) return PROBABLY_OK;
  if (scripted) return showsNothing(facts) ? EMPTY_AFTER_SCRIPTS : PROBABLY_OK;
  if (facts.redirect !== null && redirectsAway(facts.redirect, page, facts.text.length))
    return shellVerdict([facts.redirect.how]);
  const reasons = shellReasons(facts);
  if (reasons.length > 0) return shellVerdict(reasons);
  return isBlank(facts) ? BLANK_PAGE : PROBABLY_OK;
}

function refreshHeader({ headers }: Page): PageRedirect | null {
  const value = headers.find(([name]) => name === 'refresh')?.[1];
  const to = value === undefined ? null : refreshUrl(value);
  return to === null ? null : { how: 'refresh-header', to };
}

/** A page with less visible text has no content. */
const MIN_CONTENT_LENGTH = 200;

/**
 * Whether a redirect by the page leads to other content. A page that redirects to itself is the content, unless it has hardly
 * any text and sets a cookie: then it expects a second request with the cookie.
 * @param length of the visible text, or of the body if that was not parsed
 */
function redirectsAway({ to }: PageRedirect, { finalUrl, cookies }: Page, length: number): boolean {
  const destination = redirectDestination(to, finalUrl);
  return (
    destination === 'elsewhere' ||
    (destination === 'itself' && length < MIN_CONTENT_LENGTH && cookies.length > 0)
  );
}

const COOKIE_CHECK: Verdict = Object.freeze({
  kind: 'challenge',
  confidence: 0.88,
  signals: Object.freeze(['script/sets-cookie-and-reloads']),
  missing: 'js',
  wall: null,
});

/** A refusal with scripts and no text: probably a check by script. */
const SCRIPT_CHECK: Verdict = {
  ...COOKIE_CHECK,
  confidence: 0.85,
  signals: ['script/refuses-without-a-word'],
};

/** Not 404 and 410, which mean that the page does not exist. */
const isRefusingStatus = (statusCode: number): boolean =>
  statusCode === 503 || (statusCode >= 400 && statusCode < 500 && statusCode !== 404 && statusCode !== 410);

const shellVerdict = (reasons: readonly string[]): Verdict => ({
  kind: 'js_shell',
  confidence: 0.9,
  signals: reasons.map((reason) => `shell/${reason}`),
  missing: 'js',
  wall: null,
});

/** The page shows nothing although its scripts ran. */
const EMPTY_AFTER_SCRIPTS = shellVerdict(['nothing-shown']);

const showsNothing = ({ text, media, fields, scripts, inline }: JudgedPage): boolean =>
  text === '' && media + fields === 0 && (scripts > 0 || inline !== '');

const isBlank = ({ text, title, scripts, media, fields, inline }: JudgedPage): boolean =>
  text === '' && title === '' && inline === '' && scripts + media + fields === 0;

function withoutBody({ statusCode, method, cut }: Page): Verdict {
  if (statusCode < 300 && cut === null && !hasNoBody(method, statusCode)) return EMPTY;
  return verdictByStatus(statusCode);
}

function verdictByStatus(statusCode: number): Verdict {
  if (statusCode === 429) return RATE;
  return statusCode >= 500 ? ERROR_PAGE : OK_STATUS;
}

/** A signal of a 403 that says no more than that: the page of a web server, or one as terse. */
export const BARE_403 = 'status/bare-403';
/** Rules that such pages match. */
const TERSE_RULES: ReadonlySet<string> = new Set(['phrase/access-denied-title', 'phrase/refused']);
const MAX_TERSE_TEXT = 350;
/** Words by which a refusal blames its visitor, or says how to complain: those of firewalls, not of web servers. */
const BLAMES_VISITOR =
  /\b(?:blocked|banned|bots?|robots?|crawl\w{0,4}|scrap(?:er|ers|ing)|automated|unusual|suspicious|malicious|activity|traffic|captcha|human|security|firewall|waf|protection|protected by|policy|incident|reference|(?:ray|request|event|support|trace) id|your (?:ip|country|region|location|browser|network|device|connection)|ip address|javascript|cookies|vpn|proxy|rate limit)\b/i;

/** A bare 403 may be the answer of the target to any visitor, so it has a signal of its own. */
function pageVerdict(rule: Rule, { statusCode }: Page, { text, fields }: JudgedPage): Verdict {
  const verdict = ruleVerdict(rule);
  const isBare =
    statusCode === 403 &&
    TERSE_RULES.has(rule.id) &&
    fields === 0 &&
    text.length <= MAX_TERSE_TEXT &&
    !BLAMES_VISITOR.test(text);
  return isBare ? { ...verdict, signals: [...verdict.signals, BARE_403] } : verdict;
}

const RULE_VERDICTS = new Map<Rule, Verdict>();

function ruleVerdict(rule: Rule): Verdict {
  let verdict = RULE_VERDICTS.get(rule);
  if (verdict === undefined) {
    const { kind, confidence, missing, id, wall = null } = rule;
    verdict = Object.freeze({ kind, confidence, signals: Object.freeze([id]), missing, wall });
    RULE_VERDICTS.set(rule, verdict);
  }
  return verdict;
}
