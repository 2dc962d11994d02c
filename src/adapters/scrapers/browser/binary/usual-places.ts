import type { BrowserType } from './found-browser.ts';

/** One installation: the first of the paths that exists is it, the names are looked for in `PATH` if none does. */
export interface UsualPlace {
  readonly type: BrowserType;
  /** A build without windows. */
  readonly shell: boolean;
  readonly paths: readonly string[];
  readonly names: readonly string[];
}

// The programs themselves stand before the shell scripts that start them: those add switches of their own.
const LINUX: readonly UsualPlace[] = [
  {
    type: 'chromium',
    shell: true,
    paths: [
      '/usr/lib/chromium/chromium-headless-shell',
      '/usr/lib/chromium/headless_shell',
      '/usr/lib64/chromium-browser/headless_shell',
    ],
    names: ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'],
  },
  {
    type: 'chromium',
    shell: false,
    paths: [
      '/usr/lib/chromium/chromium',
      '/usr/lib64/chromium-browser/chromium-browser',
      '/usr/lib/chromium-browser/chromium-browser',
    ],
    names: ['chromium', 'chromium-browser'],
  },
  {
    type: 'chrome',
    shell: false,
    paths: ['/opt/google/chrome/chrome'],
    names: ['google-chrome-stable', 'google-chrome'],
  },
  {
    type: 'msedge',
    shell: false,
    paths: ['/opt/microsoft/msedge/msedge'],
    names: ['microsoft-edge-stable', 'microsoft-edge'],
  },
];

const application = (name: string): string => `/Applications/${name}.app/Contents/MacOS/${name}`;

const MAC: readonly UsualPlace[] = [
  { type: 'chromium', shell: false, paths: [application('Chromium')], names: ['chromium'] },
  { type: 'chrome', shell: false, paths: [application('Google Chrome')], names: [] },
  { type: 'msedge', shell: false, paths: [application('Microsoft Edge')], names: [] },
];

/** Where the packages of the vendors and distributions put their browsers. */
export function usualPlaces(platform: NodeJS.Platform): readonly UsualPlace[] {
  return platform === 'linux' ? LINUX : platform === 'darwin' ? MAC : [];
}
