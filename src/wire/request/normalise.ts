import { isObject } from '../schema/build.ts';
import type { Schema } from '../schema/explain.ts';
import { normaliseAction } from './normalise-action.ts';
import { CookieObject, ScrapeRequest } from './request-schema.ts';
import { mapped, withoutNulls } from './without-nulls.ts';

type Body = Readonly<Record<string, unknown>>;

const MEMBERS = ScrapeRequest.properties;

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
    if (value === null) {
      if (name === 'url' || !Object.hasOwn(MEMBERS, name)) continue;
      changed ??= { ...body };
      delete changed[name];
      continue;
    }
    const better = normaliseMember(name, value);
    if (better === value) continue;
    changed ??= { ...body };
    changed[name] = better;
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
      return withoutNulls(value, MEMBERS[name] as Schema);
    default:
      return value;
  }
}

/** A browser's or Playwright's names for members of a cookie. */
const COOKIE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['httpOnly', 'http_only'],
  ['sameSite', 'same_site'],
]);

function normaliseCookie(cookie: unknown): unknown {
  if (!isObject(cookie)) return cookie;
  let renamed: Body = cookie;
  for (const [alias, name] of COOKIE_ALIASES) {
    if (!Object.hasOwn(renamed, alias)) continue;
    const { [alias]: value, ...rest } = renamed;
    if (value === null) renamed = rest;
    // Given under both names: left as it is, so that the second is refused as unknown.
    else if ((renamed[name] ?? null) === null) renamed = { ...rest, [name]: value };
  }
  return withoutNulls(renamed, CookieObject as Schema);
}
