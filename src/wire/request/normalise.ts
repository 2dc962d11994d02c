import { isObject } from '../schema/build.ts';
import { normaliseAction } from './normalise-action.ts';
import { mapped, withoutNulls } from './without-nulls.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * The request in its one full form: optional members that are null left out, shorthands written out. Gives the same
 * object when there is nothing to do, which is nearly always so.
 */
export function normalise(body: Body): Body {
  let changed: Record<string, unknown> | null = null;
  for (const name in body) {
    const value = body[name];
    // The commonest members are plain values.
    if (typeof value !== 'object') continue;
    const better = value === null ? (name === 'url' ? null : undefined) : normaliseMember(name, value);
    if (better === value) continue;
    changed ??= { ...body };
    if (better === undefined) delete changed[name];
    else changed[name] = better;
  }
  return changed ?? body;
}

function normaliseMember(name: string, value: object): unknown {
  switch (name) {
    case 'cookies':
      return Array.isArray(value) ? mapped(value, normaliseCookie) : value;
    case 'page_actions':
      return Array.isArray(value) ? mapped(value, (action) => normaliseAction(action)) : value;
    case 'scraper_options':
    case 'proxy':
    case 'router':
      return withoutNulls(value, 0);
    default:
      return value;
  }
}

/** Of what the caller made with a browser's or Playwright's names. */
const COOKIE_ALIASES: Readonly<Record<string, string>> = { httpOnly: 'http_only', sameSite: 'same_site' };

function normaliseCookie(cookie: unknown): unknown {
  if (!isObject(cookie)) return cookie;
  const better = withoutNulls(cookie, 0) as Record<string, unknown>;
  const aliases = Object.keys(COOKIE_ALIASES).filter((alias) => Object.hasOwn(better, alias));
  // Given under both names: left as it is, so that the second is refused as unknown.
  if (!aliases.some((alias) => !Object.hasOwn(better, COOKIE_ALIASES[alias]!))) return better;
  return Object.fromEntries(
    Object.entries(better).map(([name, value]) => {
      const known = Object.hasOwn(COOKIE_ALIASES, name) ? COOKIE_ALIASES[name]! : name;
      return [Object.hasOwn(better, known) ? name : known, value];
    }),
  );
}
