import { computeMimeType, type MimeType } from '../content/mime-type.ts';
import type { Page } from '../domain/fetch-result.ts';
import type { Verdict, VerdictKind } from '../domain/verdict.ts';
import { hasEnoughContent } from './content-check.ts';
import { endedAtSuspectUrl, ruleByHeaders, ruleByPage, ruleByUrl } from './match-rules.ts';
import { inspectPage, type JudgedPage, XHTML } from './page-facts.ts';
import { type PageRedirect, redirectDestination, refreshUrl } from './page-redirects.ts';
import { BLOCKING_STATUSES, type Rule } from './rule.ts';
import type { SeenPage, SiteTexts } from './text-comparison.ts';

/** Whether an answer has no body by its nature (RFC 9110 §6.4.1). 205 has none either (§15.3.6). */
export function hasNoBody(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304;
}

const ASKS_FOR_SCRIPTS =
  /(?:enable|requires?|turn on|needs?|activ\w{1,6}|habilit\w{1,6}|without|aktivier\w{0,3})[^<]{0,40}javascript|javascript[^<]{0,60}(?:enable|disabled|required|aktivier|activ|nötig|erforderlich|necessary|needed)/i;
/** Fits the whole text: a page about a loading dock is not loading. */
const LOADING =
  /^(?:(?:the )?(?:page|app|application|site) is )?(?:loading|please wait|one moment|hold on|bitte warten|laden|(?:seite )?wird geladen|chargement(?: en cours)?|veuillez patienter|cargando|carregando|caricamento|загрузка|подождите|加载中|正在加载|请稍候|読み込み中|로딩 중|yükleniyor)(?:[ ,](?:please|wait|the|your|page|app|application|content|data|site|a moment|bitte|moment|while you wait|challenge|\w{1,20}(?=\.\.\.|…))){0,4}\W{0,5}$/i;
/** Beside something else, such as a navigation; the last alternative is an ellipsis decoded with the wrong charset. */
const SAYS_LOADING =
  /(?:^|\s)(?:loading|please wait|wird geladen|chargement|cargando)[^.…]{0,40}(?:\.{3}|…|â€¦)/i;
const SETS_LOCATION =
  /\b(?:window|document|top|self)?\.?location(?:\.href|\.assign|\.replace)?\s{0,3}[=(](?!=)/;
const HYDRATED =
  /__NEXT_DATA__|__NUXT__|window\.__INITIAL_STATE__|self\.__next_f|data-reactroot|data-server-rendered/;

const SHORT_TEXT = 600;
const SHELL_THRESHOLD = 3;

/**
 * Why this seems to be a page that only scripts fill: empty mount points, what it says to browsers without scripts, little
 * to see. Each reason has a weight. A page that was rendered on the server shows all of its text, even if it is hydrated
 * later. [] when it does not need scripts.
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
  // Without one of these, little text alone means nothing: small pages exist.
  if (reasons.length === 0 || scripts === 0) return [];
  if (length < 80) add('thin', 1);
  if (page.blocks + page.links < 3) add('no-blocks', 1);
  if (length > SHORT_TEXT && HYDRATED.test(page.html)) add('hydrated', -2);
  if (mount === 'none' && page.media > 1) add('media', -1);
  const total = reasons.reduce((sum, [, weight]) => sum + weight, 0);
  return total >= SHELL_THRESHOLD ? reasons.map(([reason]) => reason) : [];
}

/** There is a script, and nothing to read or to fill in; at most a picture, such as a spinner. */
function isScriptsAlone({ text, scripts, media, fields }: JudgedPage): boolean {
  return scripts > 0 && media < 2 && fields === 0 && (text === '' || LOADING.test(text));
}

/** A page that sets a cookie by script and loads itself again: it checks that scripts run. */
function isCookieCheck({ text, inline, links }: JudgedPage, refused: boolean): boolean {
  return (
    text.length < 200 &&
    links < 3 &&
    inline.length < 20_000 &&
    /document\.cookie\s{0,3}=(?!=)/.test(inline) &&
    // Pages that choose a language set a cookie and go elsewhere too.
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
/** Nothing speaks against the page, and too little of it is known to be sure. */
const PROBABLY_OK: Verdict = { ...CONTENT, confidence: 0.9, signals: Object.freeze(['no-signal']) };
const BLANK_PAGE: Verdict = { ...EMPTY, confidence: 0.9, signals: Object.freeze(['nothing-shown']) };

/** There is no page. */
export const NET_VERDICT: Verdict = statusVerdict('net');

const HTML_TYPES = new Set(['text/html', XHTML]);
/** A longer body that is not HTML is data, and not a note that says why there is none. */
const MAX_NOTE_BYTES = 8 * 1024;

export interface AssessOptions extends SeenPage {
  /** What is known of the texts of sites; null: each page is judged by itself. */
  readonly texts: SiteTexts | null;
}

/**
 * What a page is worth (contract §4). Precision goes before recall: a page counts as blocked only when the server says so
 * itself, or when the page shows next to nothing else. Traces of the vendor who protects a site are on every page of the
 * site, and mean nothing. An honest 4xx and a 3xx are `ok`.
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
  const html = HTML_TYPES.has(mime.essence);
  if (statusCode < 300) {
    if (!html) return OK_STATUS;
    if (hasEnoughContent(body, mime.essence === XHTML, scripted) && !endedAtSuspectUrl(page, url)) {
      texts?.noteContent(options);
      return CONTENT;
    }
  } else if (mime.kind === 'binary' || (!html && body.length > MAX_NOTE_BYTES))
    return verdictByStatus(statusCode);
  return assessMarkup(page, options, html && mime.kind !== 'html' ? { ...mime, kind: 'html' } : mime);
}

function assessMarkup(page: Page, options: AssessOptions, mime: MimeType): Verdict {
  const facts = inspectPage(page.body, mime, page.cut !== null);
  const kind = mime.kind === 'html' || mime.kind === 'text' ? mime.kind : 'data';
  const rule = ruleByPage(page, options.url, facts, kind === 'data');
  const verdict = rule === null ? assessWithoutRule(page, options, facts) : ruleVerdict(rule);
  // Data and truncated pages may be alike by chance. A page that is gone says so in the same words everywhere.
  const { statusCode } = page;
  if (kind === 'data' || page.cut !== null || (statusCode >= 300 && !BLOCKING_STATUSES.has(statusCode)))
    return verdict;
  return options.texts?.compare(options, facts.text, rule?.id ?? null, verdict) ?? verdict;
}

/** For pages that no rule fits: by the status, or by what the page lacks. */
function assessWithoutRule(page: Page, { scripted }: AssessOptions, facts: JudgedPage): Verdict {
  const { statusCode } = page;
  const refused = isRefusingStatus(statusCode);
  if (!scripted && (statusCode < 300 || refused) && isCookieCheck(facts, refused)) return COOKIE_CHECK;
  if (statusCode >= 300 && page.cut === null && isScriptsAlone(facts)) {
    if (refused && facts.mount === 'none') return SCRIPT_CHECK;
    if (!scripted) return shellVerdict(shellReasons(facts));
  }
  if (statusCode >= 300) {
    const { redirect, text } = facts;
    const leadsOn =
      redirect !== null && text === '' && !scripted && redirectsAway(redirect, page, text.length);
    return leadsOn ? shellVerdict([redirect.how]) : verdictByStatus(statusCode);
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

/** A shorter page has no content. */
const MIN_CONTENT_LENGTH = 200;

/**
 * A page that reloads itself is the page, unless it has no content and sets a cookie: then it waits for the cookie to come
 * back.
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
  failed: 'js',
  wall: null,
});

/** A refusal without text: only its script can lead to the page. */
const SCRIPT_CHECK: Verdict = {
  ...COOKIE_CHECK,
  confidence: 0.85,
  signals: ['script/refuses-without-a-word'],
};

/** 404 and 410 are answers of the site itself. */
const isRefusingStatus = (statusCode: number): boolean =>
  statusCode === 503 || (statusCode >= 400 && statusCode < 500 && statusCode !== 404 && statusCode !== 410);

const shellVerdict = (reasons: readonly string[]): Verdict => ({
  kind: 'js_shell',
  confidence: 0.9,
  signals: reasons.map((reason) => `shell/${reason}`),
  failed: 'js',
  wall: null,
});

/** The scripts have run, and the page still shows nothing. */
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
