import { computeMimeType, type MimeType } from '../content/mime-type.ts';
import type { Page } from '../domain/fetch-result.ts';
import type { Verdict, VerdictKind } from '../domain/verdict.ts';
import { hasEnoughContent } from './content-check.ts';
import { endedAtSuspectUrl, ruleByHeaders, ruleByPage, ruleByUrl } from './match-rules.ts';
import { decodePageSource, inspectSource, type JudgedPage, XHTML } from './page-facts.ts';
import { type PageRedirect, redirectDestination, refreshUrl } from './page-redirects.ts';
import { BLOCKING_STATUSES, type Rule } from './rule.ts';
import type { SeenPage, SiteTexts } from './text-comparison.ts';

/** Whether an answer has no body by its nature (RFC 9110 §6.4.1). 205 has none either (§15.3.6). */
export function hasNoBody(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304;
}

const ASKS_FOR_SCRIPTS =
  /(?:enable|requires?|turn on|needs?|activ\w{1,6}|habilit\w{1,6}|without|aktivier\w{0,3})[^<]{0,40}javascript|javascript[^<]{0,60}(?:enable|disabled|required|aktivier|activ|nötig|erforderlich|necessary|needed)/i;
/** As a whole: a loading dock has opening hours. */
const LOADING =
  /^(?:(?:the )?(?:page|app|application|site) is )?(?:loading|please wait|one moment|hold on|bitte warten|laden|(?:seite )?wird geladen|chargement(?: en cours)?|veuillez patienter|cargando|carregando|caricamento|загрузка|подождите|加载中|正在加载|请稍候|読み込み中|로딩 중|yükleniyor)(?:[ ,](?:please|wait|the|your|page|app|application|content|data|site|a moment|bitte|moment|while you wait|challenge|\w{1,20}(?=\.\.\.|…))){0,4}\W{0,5}$/i;
/** Beside something else, such as a navigation; the last sign is an ellipsis read by a wrong charset. */
const SAYS_LOADING =
  /(?:^|\s)(?:loading|please wait|wird geladen|chargement|cargando)[^.…]{0,40}(?:\.{3}|…|â€¦)/i;
const SETS_LOCATION =
  /\b(?:window|document|top|self)?\.?location(?:\.href|\.assign|\.replace)?\s{0,3}[=(](?!=)/;
const HYDRATED =
  /__NEXT_DATA__|__NUXT__|window\.__INITIAL_STATE__|self\.__next_f|data-reactroot|data-server-rendered/;

const SHORT_TEXT = 600;
const SHELL_THRESHOLD = 3;

/**
 * How much speaks for a page that only scripts make, each reason with its weight: what is shown, empty places for a
 * page to be put in, what it says to those without scripts. A page that was made on the server has all of its text, with
 * whatever it is hydrated by. [] when it does not need scripts.
 */
function shellReasons(page: JudgedPage): readonly string[] {
  const { text, scripts, mount, noscript, inline } = page;
  const { length } = text;
  const reasons: [what: string, weight: number][] = [];
  const says = (what: string, weight: number) => reasons.push([what, weight]);
  if (mount === 'empty') says('empty-root', length < SHORT_TEXT ? 3 : 1);
  else if (mount === 'filled' && length < 80) says('bare-root', 2);
  if (length < 400 && ASKS_FOR_SCRIPTS.test(noscript)) says('noscript-asks', 2);
  if (length < 200 && SETS_LOCATION.test(inline)) says('script-redirect', 2);
  if (scripts > 0 && page.media < 2 && (length === 0 || LOADING.test(text))) says('nothing-shown', 2);
  if (scripts > 0 && length < 400 && SAYS_LOADING.test(text)) says('says-loading', 3);
  // Without one of these, little text alone tells nothing: small pages exist.
  if (reasons.length === 0 || scripts === 0) return [];
  if (length < 80) says('thin', 1);
  if (page.blocks + page.links < 3) says('no-blocks', 1);
  if (length > SHORT_TEXT && HYDRATED.test(page.html)) says('hydrated', -2);
  if (mount === 'none' && page.media > 1) says('media', -1);
  const weight = reasons.reduce((sum, [, one]) => sum + one, 0);
  return weight >= SHELL_THRESHOLD ? reasons.map(([what]) => what) : [];
}

/** Nothing is to be read or filled in: there is a script, and at most a picture that turns. */
function isScriptsAlone({ text, scripts, media, fields }: JudgedPage): boolean {
  return scripts > 0 && media < 2 && fields === 0 && (text === '' || LOADING.test(text));
}

/** A page that sets a cookie by script and then comes again: it wants to see that scripts run. */
function isCookieCheck({ text, inline, links }: JudgedPage, refused: boolean): boolean {
  return (
    text.length < 200 &&
    links < 3 &&
    inline.length < 20_000 &&
    /document\.cookie\s{0,3}=(?!=)/.test(inline) &&
    // To set a cookie and to go elsewhere is also how languages are chosen.
    (/location\.reload\s{0,3}\(/.test(inline) || (refused && SETS_LOCATION.test(inline)))
  );
}

const statusVerdict = (kind: VerdictKind): Verdict =>
  Object.freeze({
    kind,
    confidence: 1,
    signals: Object.freeze(['status']),
    failed: kind === 'rate' ? 'rate' : null,
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
  failed: null,
  wall: null,
});
const SMALL_PAGE: Verdict = { ...CONTENT, confidence: 0.9, signals: Object.freeze(['no-signal']) };
const BLANK_PAGE: Verdict = { ...EMPTY, confidence: 0.9, signals: Object.freeze(['nothing-shown']) };

/** No page at all. */
export const NET_VERDICT: Verdict = statusVerdict('net');

const HTML_TYPES = new Set(['text/html', XHTML]);
/** Data that is longer than this is data. */
const MAX_NOTE_BYTES = 8 * 1024;

/** The URL that was asked for; whether the scripts of the page have run; when. */
export interface AssessOptions extends SeenPage {
  /** What is known of the texts of sites; null: each page is judged by itself. */
  readonly texts: SiteTexts | null;
}

/**
 * What a page is worth (contract §4). Precision goes before recall: a page is only said to be blocked when the server
 * says so itself, or when it shows next to nothing else. Who protects a site is seen on every page that it serves, and
 * means nothing. An honest 4xx and a 3xx are `ok`.
 */
export function assess(page: Page, ask: AssessOptions): Verdict {
  const { statusCode, body } = page;
  const told = ruleByHeaders(page) ?? ruleByUrl(page, ask.url);
  if (told !== null) return ruleVerdict(told);
  if (!ask.scripted && statusCode < 300 && page.method !== 'HEAD') {
    const refresh = refreshHeader(page);
    if (refresh !== null && redirectsAway(refresh, page, body.length)) return shellVerdict([refresh.how]);
  }
  if (body.length === 0 || hasNoBody(page.method, statusCode)) return withoutBody(page);
  if (page.undecoded || (statusCode >= 300 && statusCode < 400)) return verdictByStatus(statusCode);
  const mime = computeMimeType(
    page.contentTypeOverride === undefined ? page.headers : [['content-type', page.contentTypeOverride]],
    body,
  );
  const html = HTML_TYPES.has(mime.essence);
  if (statusCode < 300) {
    if (!html) return OK_STATUS;
    if (hasEnoughContent(body, mime.essence === XHTML, ask.scripted) && !endedAtSuspectUrl(page, ask.url)) {
      ask.texts?.noteContent(ask);
      return CONTENT;
    }
  } else if (mime.kind === 'binary' || (!html && body.length > MAX_NOTE_BYTES))
    return verdictByStatus(statusCode);
  return assessMarkup(page, ask, html && mime.kind !== 'html' ? { ...mime, kind: 'html' } : mime);
}

function assessMarkup(page: Page, ask: AssessOptions, mime: MimeType): Verdict {
  const source = decodePageSource(page.body, mime, page.cut !== null);
  const facts = inspectSource(source, mime);
  const kind = mime.kind === 'html' || mime.kind === 'text' ? mime.kind : 'data';
  const rule = ruleByPage(page, ask.url, facts, source.bytes, kind);
  const verdict = rule === null ? assessWithoutRule(page, ask, facts) : ruleVerdict(rule);
  // What there is of the text may be the same by chance; that a page is gone is said in the same words everywhere.
  const { statusCode } = page;
  if (kind === 'data' || page.cut !== null || (statusCode >= 300 && !BLOCKING_STATUSES.has(statusCode)))
    return verdict;
  return ask.texts?.compare(ask, facts.text, rule?.id ?? null, verdict) ?? verdict;
}

/** No rule fits: what its status says, or what it lacks. */
function assessWithoutRule(page: Page, ask: AssessOptions, facts: JudgedPage): Verdict {
  const { statusCode } = page;
  const refused = isRefusal(statusCode);
  if (!ask.scripted && (statusCode < 300 || refused) && isCookieCheck(facts, refused)) return COOKIE_CHECK;
  if (statusCode >= 300 && page.cut === null && isScriptsAlone(facts)) {
    if (refused && facts.mount === 'none') return SCRIPT_CHECK;
    if (!ask.scripted) return shellVerdict(shellReasons(facts));
  }
  if (statusCode >= 300) {
    const { redirect, text } = facts;
    const sentOn = redirect !== null && text === '' && !ask.scripted && redirectsAway(redirect, page, 0);
    return sentOn ? shellVerdict([redirect.how]) : verdictByStatus(statusCode);
  }
  if (page.cut !== null) return SMALL_PAGE;
  if (ask.scripted) return showsNothing(facts) ? EMPTY_AFTER_SCRIPTS : SMALL_PAGE;
  if (facts.redirect !== null && redirectsAway(facts.redirect, page, facts.text.length))
    return shellVerdict([facts.redirect.how]);
  const reasons = shellReasons(facts);
  if (reasons.length > 0) return shellVerdict(reasons);
  return isBlank(facts) ? BLANK_PAGE : SMALL_PAGE;
}

function refreshHeader({ headers }: Page): PageRedirect | null {
  const value = headers.find(([name]) => name === 'refresh')?.[1];
  const to = value === undefined ? null : refreshUrl(value);
  return to === null ? null : { how: 'refresh-header', to };
}

/** Fewer letters are no content. */
const FEW_LETTERS = 200;

/** A page that loads itself anew stays, unless it only wants its cookie to come with the next request. */
function redirectsAway({ to }: PageRedirect, { finalUrl, cookies }: Page, letters: number): boolean {
  const place = redirectDestination(to, finalUrl);
  return place === 'elsewhere' || (place === 'itself' && letters < FEW_LETTERS && cookies.length > 0);
}

const COOKIE_CHECK: Verdict = Object.freeze({
  kind: 'challenge',
  confidence: 0.88,
  signals: Object.freeze(['script/sets-cookie-and-reloads']),
  failed: 'js',
  wall: null,
});

/** It refuses, and says no word: what lets the page through is the script, or nothing. */
const SCRIPT_CHECK: Verdict = {
  ...COOKIE_CHECK,
  confidence: 0.85,
  signals: ['script/refuses-without-a-word'],
};

/** 404 and 410 are answers of the site. */
const isRefusal = (statusCode: number): boolean =>
  statusCode === 503 || (statusCode >= 400 && statusCode < 500 && statusCode !== 404 && statusCode !== 410);

const shellVerdict = (reasons: readonly string[]): Verdict => ({
  kind: 'js_shell',
  confidence: 0.9,
  signals: reasons.map((one) => `shell/${one}`),
  failed: 'js',
  wall: null,
});

/** The scripts have run, and there is nothing to be seen of what they are to make. */
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

const RULE_VERDICTS = new Map<Rule, Verdict>();

function ruleVerdict(rule: Rule): Verdict {
  let verdict = RULE_VERDICTS.get(rule);
  if (verdict === undefined) {
    const { kind, confidence, failed, id, wall = null } = rule;
    verdict = Object.freeze({ kind, confidence, signals: Object.freeze([id]), failed, wall });
    RULE_VERDICTS.set(rule, verdict);
  }
  return verdict;
}
