import { type Static, Type } from 'typebox';
import { closed, optional } from './json-schema.ts';

/** The partition of a cookie (CHIPS): only pages of this site send it. */
export interface CookiePartition {
  /** Scheme and registrable domain of the top-level page, such as `https://example.com`. */
  readonly site: string;
  /** CDP `hasCrossSiteAncestor`: a frame around the document is of another site; null: derived from the cookie's domain. */
  readonly crossSite: boolean | null;
}

export interface StoredCookie {
  readonly name: string;
  readonly value: string;
  /** A leading dot includes the subdomains. */
  readonly domain: string;
  readonly path: string;
  /** Seconds since the epoch; -1: a session cookie. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
  /** Absent: the cookie is not partitioned. */
  readonly partition?: CookiePartition;
}

/** The format of Playwright's `storageState()`, with more members for cookies. */
export interface StorageState {
  readonly cookies: readonly StoredCookie[];
  readonly origins: readonly {
    readonly origin: string;
    readonly localStorage: readonly { readonly name: string; readonly value: string }[];
    readonly indexedDB?: readonly object[];
  }[];
}

/** Limit for one request. */
export const MAX_COOKIES = 300;

const opt = Type.Optional;
const Text = Type.String();
const IGNORED_MEMBER = {
  description: 'Describes the browser that the cookie was exported from. Accepted, and changes nothing.',
};

/**
 * Further members of a cookie in the exports of Cookie-Editor, EditThisCookie, Puppeteer, the DevTools protocol, Selenium
 * and Playwright. They are accepted so that an export can be pasted into a request.
 */
export const EXPORTED_COOKIE_MEMBERS = {
  expirationDate: opt(Type.Number({ description: 'The same as `expires`.' })),
  expiry: opt(Type.Number({ description: 'The same as `expires`.' })),
  session: opt(Type.Boolean({ description: 'true: a session cookie, whatever `expires` says.' })),
  hostOnly: opt(Type.Boolean({ description: 'true: subdomains of `domain` are excluded.' })),
  partitionKey: opt(
    Type.Union(
      [
        Type.String(),
        closed({
          topLevelSite: opt(Type.String()),
          sourceOrigin: opt(Type.String()),
          hasCrossSiteAncestor: opt(Type.Boolean()),
        }),
      ],
      {
        description: 'The site of the top-level page that the cookie is for, such as `https://example.com`.',
      },
    ),
  ),
  _crHasCrossSiteAncestor: opt(Type.Boolean({ description: '`hasCrossSiteAncestor` of `partitionKey`.' })),
  partitionKeyOpaque: opt(Type.Boolean(IGNORED_MEMBER)),
  id: opt(Type.Union([Type.Number(), Type.String()], IGNORED_MEMBER)),
  storeId: opt(Type.String(IGNORED_MEMBER)),
  firstPartyDomain: opt(Type.String(IGNORED_MEMBER)),
  size: opt(Type.Number(IGNORED_MEMBER)),
  priority: opt(Type.String(IGNORED_MEMBER)),
  sameParty: opt(Type.Boolean(IGNORED_MEMBER)),
  sourceScheme: opt(Type.String(IGNORED_MEMBER)),
  sourcePort: opt(Type.Number(IGNORED_MEMBER)),
};

const KEY_PATH = { keyPath: opt(Text), keyPathArray: opt(Type.Array(Text)) };
/** As Playwright writes it: `key` and `value` are JSON, `keyEncoded` and `valueEncoded` use Playwright's encoding. */
const IndexedDatabase = closed({
  name: Text,
  version: Type.Integer({ minimum: 1 }),
  stores: Type.Array(
    closed({
      name: Text,
      autoIncrement: Type.Boolean(),
      ...KEY_PATH,
      records: Type.Array(
        closed({
          key: opt(Type.Unknown()),
          keyEncoded: opt(Type.Unknown()),
          value: opt(Type.Unknown()),
          valueEncoded: opt(Type.Unknown()),
        }),
      ),
      indexes: Type.Array(
        closed({ name: Text, ...KEY_PATH, multiEntry: Type.Boolean(), unique: Type.Boolean() }),
      ),
    }),
  ),
});

/** @param maxCookies and @param maxOrigins how many it may have */
export const storageStateSchema = (maxCookies: number, maxOrigins: number) =>
  closed(
    optional({
      cookies: Type.Array(
        closed({
          name: Text,
          value: Text,
          domain: Type.String({ description: 'With a leading dot, subdomains are included.' }),
          path: Text,
          expires: opt(
            Type.Number({
              description: 'Unix time in seconds. -1: a session cookie, kept until the scrape ends.',
            }),
          ),
          httpOnly: opt(Type.Boolean()),
          secure: opt(Type.Boolean()),
          sameSite: opt(Type.String({ description: '`Strict`, `Lax` or `None`, in any letter case.' })),
          ...EXPORTED_COOKIE_MEMBERS,
        }),
        { maxItems: maxCookies },
      ),
      origins: Type.Array(
        closed({
          origin: Type.String({ maxLength: 2000 }),
          localStorage: Type.Array(closed({ name: Text, value: Text }), { maxItems: 1_000 }),
          indexedDB: opt(Type.Array(IndexedDatabase, { maxItems: 100 })),
        }),
        { maxItems: maxOrigins },
      ),
    }),
  );

export const StorageStateSchema = storageStateSchema(MAX_COOKIES, 20);
export type StorageStateSchema = Static<typeof StorageStateSchema>;
