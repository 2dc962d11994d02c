/** Whom `http_impersonate` can look like. The numbers are the versions that the client library knows by heart. */
export type BrowserFamily = 'chrome' | 'edge' | 'firefox' | 'safari' | 'safari_ios';

export interface ImpersonateProfile {
  /** `<family>_<version>`, as the caller names it. */
  readonly name: string;
  readonly family: BrowserFamily;
  /** `149`, `26.4`. */
  readonly version: string;
}

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String(to - i));

const VERSIONS: Readonly<Record<BrowserFamily, readonly string[]>> = {
  chrome: range(140, 149),
  firefox: range(142, 151),
  safari: ['26.4', '26.3', '26.2', '26.1', '26', '18.5'],
  safari_ios: ['26.2', '26'],
  edge: range(140, 148),
};

const PROFILES = new Map<string, ImpersonateProfile>(
  (Object.keys(VERSIONS) as BrowserFamily[]).flatMap((family) =>
    VERSIONS[family].map((version) => {
      const name = `${family}_${version.replace('.', '_')}`;
      return [name, { name, family, version }] as const;
    }),
  ),
);

/** Short for the newest listed version of each. */
const SHORT = ['chrome', 'firefox', 'safari', 'edge'] as const;

/** What `scraper_options.impersonate` takes. */
export const IMPERSONATE_NAMES: readonly string[] = [...SHORT, ...PROFILES.keys()];

/** @param name one of `IMPERSONATE_NAMES` */
export function profileOf(name: string): ImpersonateProfile {
  const short = SHORT.find((family) => family === name);
  const full = short === undefined ? name : `${short}_${VERSIONS[short][0]!.replace('.', '_')}`;
  const profile = PROFILES.get(full);
  if (profile === undefined) throw new Error(`no profile ${name}`);
  return profile;
}
