/** Device names of Playwright that also exist with the suffix " landscape". */
const ROTATABLE = [
  'Blackberry PlayBook',
  'BlackBerry Z30',
  'Galaxy Note 3',
  'Galaxy Note II',
  'Galaxy S III',
  'Galaxy S5',
  'Galaxy S8',
  'Galaxy S9+',
  'Galaxy S24',
  'Galaxy A55',
  'Galaxy Tab S4',
  'Galaxy Tab S9',
  'Galaxy Z Fold 6',
  'Galaxy Z Fold 6 Cover',
  'Galaxy Z Fold 7',
  'Galaxy Z Fold 7 Cover',
  'Galaxy Z Flip 6',
  'Galaxy Z Flip 6 Cover',
  'Galaxy Z Flip 7',
  'Galaxy Z Flip 7 Cover',
  'iPad (gen 5)',
  'iPad (gen 6)',
  'iPad (gen 7)',
  'iPad (gen 11)',
  'iPad Mini',
  'iPad Pro 11',
  'iPhone 6',
  'iPhone 6 Plus',
  'iPhone 7',
  'iPhone 7 Plus',
  'iPhone 8',
  'iPhone 8 Plus',
  'iPhone SE',
  'iPhone SE (3rd gen)',
  'iPhone X',
  'iPhone XR',
  'iPhone 11',
  'iPhone 11 Pro',
  'iPhone 11 Pro Max',
  'iPhone 12',
  'iPhone 12 Pro',
  'iPhone 12 Pro Max',
  'iPhone 12 Mini',
  'iPhone 13',
  'iPhone 13 Pro',
  'iPhone 13 Pro Max',
  'iPhone 13 Mini',
  'iPhone 14',
  'iPhone 14 Plus',
  'iPhone 14 Pro',
  'iPhone 14 Pro Max',
  'iPhone 15',
  'iPhone 15 Plus',
  'iPhone 15 Pro',
  'iPhone 15 Pro Max',
  'iPhone 16',
  'iPhone 16 Plus',
  'iPhone 16 Pro',
  'iPhone 16 Pro Max',
  'iPhone 16e',
  'iPhone 17',
  'iPhone Air',
  'iPhone 17 Pro',
  'iPhone 17 Pro Max',
  'iPhone 17e',
  'Kindle Fire HDX',
  'LG Optimus L70',
  'Microsoft Lumia 550',
  'Microsoft Lumia 950',
  'Nexus 10',
  'Nexus 4',
  'Nexus 5',
  'Nexus 5X',
  'Nexus 6',
  'Nexus 6P',
  'Nexus 7',
  'Nokia Lumia 520',
  'Nokia N9',
  'Pixel 2',
  'Pixel 2 XL',
  'Pixel 3',
  'Pixel 4',
  'Pixel 4a (5G)',
  'Pixel 5',
  'Pixel 6',
  'Pixel 6 Pro',
  'Pixel 6a',
  'Pixel 7',
  'Pixel 7 Pro',
  'Pixel 7a',
  'Pixel 8',
  'Pixel 8 Pro',
  'Pixel 8a',
  'Pixel 9',
  'Pixel 9 Pro',
  'Pixel 9 Pro XL',
  'Pixel 10',
  'Pixel 10 Pro',
  'Pixel 10 Pro XL',
  'Moto G4',
] as const;
const DESKTOPS = [
  'Desktop Chrome HiDPI',
  'Desktop Edge HiDPI',
  'Desktop Firefox HiDPI',
  'Desktop Safari',
  'Desktop Chrome',
  'Desktop Edge',
  'Desktop Firefox',
] as const;

/** Values of `scraper_options.device`. Playwright has a descriptor for each. */
export const DEVICE_NAMES: readonly string[] = [
  ...ROTATABLE.flatMap((name) => [name, `${name} landscape`]),
  ...DESKTOPS,
];

/** Browsers that `http_impersonate` can imitate. `VERSIONS` lists the versions that its client library has profiles of. */
export type BrowserFamily = 'chrome' | 'edge' | 'firefox' | 'safari' | 'safari_ios';

export interface ImpersonateProfile {
  /** `<family>_<version>`, a value of `scraper_options.impersonate`. */
  readonly name: string;
  readonly family: BrowserFamily;
  /** Such as `149` or `26.4`. */
  readonly version: string;
}

/** The versions `from` to `to`, the newest first. */
const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => String(to - i));

/** The newest version first. */
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

/** A family name stands for the newest version listed. */
const ALIASES = ['chrome', 'firefox', 'safari', 'edge'] as const;

/** Values of `scraper_options.impersonate`. */
export const IMPERSONATE_NAMES: readonly string[] = [...ALIASES, ...PROFILES.keys()];

/** @param name one of `IMPERSONATE_NAMES` */
export function impersonateProfile(name: string): ImpersonateProfile {
  const alias = ALIASES.find((family) => family === name);
  const fullName = alias === undefined ? name : `${alias}_${VERSIONS[alias][0]!.replace('.', '_')}`;
  const profile = PROFILES.get(fullName);
  if (profile === undefined) throw new Error(`no profile for ${name}: it is not in IMPERSONATE_NAMES`);
  return profile;
}
