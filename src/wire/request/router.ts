import {
  type Accept,
  PROXY_TYPES,
  type RouterAsk,
  SCRAPER_NAMES,
  type Sort,
  type StepPattern,
} from '../../domain/job.ts';
import { pointTo } from '../schema/pointer.ts';
import { notAvailable, type Problems, wrong } from '../schema/problems.ts';
import { quoted } from '../schema/shown.ts';
import { asksFor } from './asks-for.ts';
import type { AcceptAsk, RouterField, RouterObject } from './router-schema.ts';

const NONE: readonly StepPattern[] = Object.freeze([]);
const NO_TAGS: Readonly<Record<string, string>> = Object.freeze({});
const NO_TYPES: RouterAsk['escalateProxy'] = Object.freeze([]);
const DEFAULTS: RouterAsk = Object.freeze({
  sort: 'balanced',
  escalateProxy: NO_TYPES,
  order: NONE,
  only: NONE,
  ignore: NONE,
  allowFallbacks: true,
  maxAttempts: null,
  accept: null,
  onBlocked: 'return',
  maxCost: null,
  robots: 'ignore',
  dryRun: false,
  trace: true,
  tags: NO_TAGS,
  retain: 'full',
});

export function readRouter(ask: RouterField | undefined, problems: Problems): RouterAsk {
  if (ask === undefined) return DEFAULTS;
  if (typeof ask === 'string') return { ...DEFAULTS, sort: ask as Sort };
  refuseLater(ask, problems);
  return {
    sort: (ask.sort as Sort | undefined) ?? 'balanced',
    escalateProxy: (ask.escalate_proxy || NO_TYPES) as RouterAsk['escalateProxy'],
    order: readSteps(ask.order, '/router/order', problems),
    only: readSteps(ask.only, '/router/only', problems),
    ignore: readSteps(ask.ignore, '/router/ignore', problems),
    allowFallbacks: ask.allow_fallbacks ?? true,
    maxAttempts: ask.max_attempts ?? null,
    accept: ask.accept === undefined ? null : readAccept(ask.accept),
    onBlocked: (ask.on_blocked as RouterAsk['onBlocked'] | undefined) ?? 'return',
    // Rounded down; the little is for what a decimal cannot be in binary.
    maxCost: ask.max_cost === undefined ? null : Math.floor(ask.max_cost * 1_000_000 * (1 + 1e-12)),
    robots: (ask.robots as RouterAsk['robots'] | undefined) ?? 'ignore',
    dryRun: ask.dry_run ?? false,
    trace: ask.trace ?? true,
    tags: ask.tags === undefined ? NO_TAGS : readTags(ask.tags, problems),
    retain: (ask.retain as RouterAsk['retain'] | undefined) ?? 'full',
  };
}

/** What is known but not offered yet; a default asks for nothing. */
function refuseLater(ask: RouterObject, problems: Problems): void {
  const later = (asks: boolean, at: string, value?: string) => {
    if (asks) notAvailable(problems, at, value);
  };
  later((ask.cache?.mode ?? 'off') !== 'off', '/router/cache/mode', ask.cache?.mode);
  later(asksFor(ask.cache?.max_age_ms), '/router/cache/max_age_ms');
  later((ask.archive ?? 'none') !== 'none', '/router/archive', ask.archive);
}

function readSteps(
  steps: readonly string[] | undefined,
  at: string,
  problems: Problems,
): readonly StepPattern[] {
  if (steps === undefined || steps.length === 0) return NONE;
  return steps.flatMap((text, i) => {
    const [scraperName, proxyName, ...rest] = text.split('/');
    const scraper = SCRAPER_NAMES.find((name) => name === scraperName);
    const proxyType = proxyName === undefined ? null : PROXY_TYPES.find((name) => name === proxyName);
    if (scraper !== undefined && proxyType !== undefined && rest.length === 0) {
      return [{ scraper, proxyType }];
    }
    wrong(
      problems,
      pointTo(at, i),
      `must be a scraper (${SCRAPER_NAMES.join(', ')}), or scraper/proxy_type (${PROXY_TYPES.join(', ')}), got ${quoted(text)}`,
    );
    return [];
  });
}

/** Whether selector and path can be parsed is told by those who know these languages. */
function readAccept(ask: AcceptAsk): Accept | null {
  if (!asksFor(ask)) return null;
  return {
    status: ask.status ?? [],
    selector: filled(ask.selector),
    contains: filled(ask.contains),
    notContains: filled(ask.not_contains),
    minBytes: ask.min_bytes ?? 0,
    jsonPath: filled(ask.json_path),
  };
}

function filled(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

/** The schema has checked the values; the names are members, which it cannot measure. */
function readTags(tags: Readonly<Record<string, string>>, problems: Problems): RouterAsk['tags'] {
  for (const name of Object.keys(tags)) {
    const length = [...name.slice(0, 200)].length;
    if (length === 0 || length > 64) {
      wrong(problems, pointTo('/router/tags', name), 'must have a name of 1 to 64 characters');
    }
  }
  return tags;
}
