import { type Mime, mimeOf } from '../content/mime.ts';
import type { Page } from '../domain/fetched.ts';
import type { Verdict, VerdictKind } from '../domain/verdict.ts';
import { bodyless } from './bodyless.ts';
import { isCookieCheck, isScriptsAlone, shellReasons } from './js-shell.ts';
import { type LeadsOn, placeLedTo, refreshUrl } from './leads-on.ts';
import { landedOddly, ruleByHeaders, ruleByPlace } from './match-rules.ts';
import { factsOf, type PageFacts, XHTML } from './page-facts.ts';
import { sourceOf } from './page-source.ts';
import { HELD, type Rule } from './rule.ts';
import { ruleByPage } from './rule-by-page.ts';
import { saysEnough } from './says-enough.ts';
import type { Sighting, SiteTexts } from './site-texts.ts';

const byStatus = (kind: VerdictKind): Verdict =>
  Object.freeze({
    kind,
    confidence: 1,
    signals: Object.freeze(['status']),
    failed: kind === 'rate' ? 'rate' : null,
    wall: null,
  });

const HONEST = byStatus('ok');
const RATE = byStatus('rate');
const ERROR_PAGE = byStatus('error_page');
const EMPTY = byStatus('empty');
const CONTENT: Verdict = Object.freeze({
  kind: 'ok',
  confidence: 0.98,
  signals: Object.freeze(['text']),
  failed: null,
  wall: null,
});
const SMALL: Verdict = { ...CONTENT, confidence: 0.9, signals: Object.freeze(['no-signal']) };
const BLANK: Verdict = { ...EMPTY, confidence: 0.9, signals: Object.freeze(['nothing-shown']) };

/** No page at all. */
export const NET: Verdict = byStatus('net');

const HTML_TYPES = new Set(['text/html', XHTML]);
/** Data that is longer than this is data. */
const LONGEST_NOTE = 8 * 1024;

/** The URL that was asked for; whether the scripts of the page have run; when. */
export interface AssessAsk extends Sighting {
  /** What is known of the texts of sites; null: each page is judged by itself. */
  readonly texts: SiteTexts | null;
}

/**
 * What a page is worth (contract §4). Precision goes before recall: a page is only said to be blocked when the server
 * says so itself, or when it shows next to nothing else. Who protects a site is seen on every page that it serves, and
 * means nothing. An honest 4xx and a 3xx are `ok`.
 */
export function assess(page: Page, ask: AssessAsk): Verdict {
  const { statusCode, body } = page;
  const told = ruleByHeaders(page) ?? ruleByPlace(page, ask.url);
  if (told !== null) return byRule(told);
  if (!ask.scripted && statusCode < 300 && page.method !== 'HEAD') {
    const refresh = refreshHeader(page);
    if (refresh !== null && leadsAway(refresh, page, body.length)) return shell([refresh.how]);
  }
  if (body.length === 0 || bodyless(page.method, statusCode)) return withoutBody(page);
  if (page.undecoded || (statusCode >= 300 && statusCode < 400)) return ofStatus(statusCode);
  const mime = mimeOf(page.readAs === undefined ? page.headers : [['content-type', page.readAs]], body);
  const html = HTML_TYPES.has(mime.essence);
  if (statusCode < 300) {
    if (!html) return HONEST;
    if (saysEnough(body, mime.essence === XHTML, ask.scripted) && !landedOddly(page, ask.url)) {
      ask.texts?.content(ask);
      return CONTENT;
    }
  } else if (mime.kind === 'binary' || (!html && body.length > LONGEST_NOTE)) return ofStatus(statusCode);
  return looking(page, ask, html && mime.kind !== 'html' ? { ...mime, kind: 'html' } : mime);
}

function looking(page: Page, ask: AssessAsk, mime: Mime): Verdict {
  const source = sourceOf(page.body, mime, page.cut !== null);
  const facts = factsOf(source, mime);
  const kind = mime.kind === 'html' || mime.kind === 'text' ? mime.kind : 'data';
  const rule = ruleByPage(page, ask.url, facts, source.bytes, kind);
  const verdict = rule === null ? unruled(page, ask, facts) : byRule(rule);
  // What there is of the text may be the same by chance; that a page is gone is said in the same words everywhere.
  const { statusCode } = page;
  if (kind === 'data' || page.cut !== null || (statusCode >= 300 && !HELD.has(statusCode))) return verdict;
  return ask.texts?.weigh(ask, facts.text, rule?.id ?? null, verdict) ?? verdict;
}

/** No rule fits: what its status says, or what it lacks. */
function unruled(page: Page, ask: AssessAsk, facts: PageFacts): Verdict {
  const { statusCode } = page;
  const refused = isRefusal(statusCode);
  if (!ask.scripted && (statusCode < 300 || refused) && isCookieCheck(facts, refused)) return COOKIE_CHECK;
  if (statusCode >= 300 && page.cut === null && isScriptsAlone(facts)) {
    if (refused && facts.mount === 'none') return SCRIPT_CHECK;
    if (!ask.scripted) return shell(shellReasons(facts));
  }
  if (statusCode >= 300) {
    const { leadsOn, text } = facts;
    const sentOn = leadsOn !== null && text === '' && !ask.scripted && leadsAway(leadsOn, page, 0);
    return sentOn ? shell([leadsOn.how]) : ofStatus(statusCode);
  }
  if (page.cut !== null) return SMALL;
  if (ask.scripted) return showsNothing(facts) ? STILL_BARE : SMALL;
  if (facts.leadsOn !== null && leadsAway(facts.leadsOn, page, facts.text.length))
    return shell([facts.leadsOn.how]);
  const reasons = shellReasons(facts);
  if (reasons.length > 0) return shell(reasons);
  return isBlank(facts) ? BLANK : SMALL;
}

function refreshHeader({ headers }: Page): LeadsOn | null {
  const value = headers.find(([name]) => name === 'refresh')?.[1];
  const to = value === undefined ? null : refreshUrl(value);
  return to === null ? null : { how: 'refresh-header', to };
}

/** Fewer letters are no content. */
const FEW = 200;

/** A page that loads itself anew stays, unless it only wants its cookie to come with the next request. */
function leadsAway({ to }: LeadsOn, { finalUrl, cookies }: Page, letters: number): boolean {
  const place = placeLedTo(to, finalUrl);
  return place === 'elsewhere' || (place === 'itself' && letters < FEW && cookies.length > 0);
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

const shell = (reasons: readonly string[]): Verdict => ({
  kind: 'js_shell',
  confidence: 0.9,
  signals: reasons.map((one) => `shell/${one}`),
  failed: 'js',
  wall: null,
});

/** The scripts have run, and there is nothing to be seen of what they are to make. */
const STILL_BARE = shell(['nothing-shown']);

const showsNothing = ({ text, media, fields, scripts, inline }: PageFacts): boolean =>
  text === '' && media + fields === 0 && (scripts > 0 || inline !== '');

const isBlank = ({ text, title, scripts, media, fields, inline }: PageFacts): boolean =>
  text === '' && title === '' && inline === '' && scripts + media + fields === 0;

function withoutBody({ statusCode, method, cut }: Page): Verdict {
  if (statusCode < 300 && cut === null && !bodyless(method, statusCode)) return EMPTY;
  return ofStatus(statusCode);
}

function ofStatus(statusCode: number): Verdict {
  if (statusCode === 429) return RATE;
  return statusCode >= 500 ? ERROR_PAGE : HONEST;
}

const made = new Map<Rule, Verdict>();

function byRule(rule: Rule): Verdict {
  let verdict = made.get(rule);
  if (verdict === undefined) {
    const { kind, confidence, failed, id, wall = null } = rule;
    verdict = Object.freeze({ kind, confidence, signals: Object.freeze([id]), failed, wall });
    made.set(rule, verdict);
  }
  return verdict;
}
