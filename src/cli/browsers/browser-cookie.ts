/** A cookie of a browser, as a storage state has it in JSON (`StorageStateSchema`). */
export interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  /** Seconds since the epoch; -1: a session cookie. */
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Strict' | 'Lax' | 'None';
  readonly partitionKey?: string;
  readonly _crHasCrossSiteAncestor?: boolean;
}

export interface ReadCookies {
  readonly cookies: readonly BrowserCookie[];
  /** Cookies of the domains that could not be decrypted. */
  readonly unreadable: number;
}

/** What those can do whose browser cannot be read. */
export const BY_FILE =
  'export the cookies of the site with an extension of the browser, as cookies.txt (Netscape) or JSON, and use --from FILE';
