import { type Static, Type } from 'typebox';
import { closed } from './json-schema.ts';

/** The pages that a cookie is for (CHIPS, "cookies having independent partitioned state"). */
export interface CookiePartition {
  /** Scheme and registrable domain of the page, as a URL without a path. */
  readonly site: string;
  /** Whether it is for frames in pages of other sites than its own; null: the domain of the cookie decides. */
  readonly crossSite: boolean | null;
}

export interface StoredCookie {
  readonly name: string;
  readonly value: string;
  /** With a leading dot also for the hosts below it. */
  readonly domain: string;
  readonly path: string;
  /** Seconds since the epoch; -1: until the browser is closed. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
  /** Absent: it is for the pages of all sites. */
  readonly partition?: CookiePartition;
}

/** As Playwright writes it. */
export interface StorageState {
  readonly cookies: readonly StoredCookie[];
  readonly origins: readonly {
    readonly origin: string;
    readonly localStorage: readonly { readonly name: string; readonly value: string }[];
    /** Databases. */
    readonly indexedDB?: readonly object[];
  }[];
}

/** Of one request. */
export const MAX_COOKIES = 300;

const opt = Type.Optional;
const Text = Type.String();
const IGNORED_MEMBER = {
  description: 'Describes the browser that the cookie was exported from. Accepted, and changes nothing.',
};

/**
 * Members of a cookie as Cookie-Editor, EditThisCookie, Puppeteer, the DevTools protocol, Selenium and Playwright export
 * it, beyond those that we have ourselves.
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
/** A database as Playwright writes it. Keys and values are JSON, or in an encoding of Playwright's own. */
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

export const StorageStateSchema = closed({
  cookies: opt(
    Type.Array(
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
      { maxItems: MAX_COOKIES },
    ),
  ),
  origins: opt(
    Type.Array(
      closed({
        origin: Type.String({ maxLength: 2000 }),
        localStorage: Type.Array(closed({ name: Text, value: Text }), { maxItems: 1_000 }),
        indexedDB: opt(Type.Array(IndexedDatabase, { maxItems: 100 })),
      }),
      { maxItems: 20 },
    ),
  ),
});
export type StorageStateSchema = Static<typeof StorageStateSchema>;
