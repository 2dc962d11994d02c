import type { ReactNode } from 'react';

/** Our own line icons on a grid of 24 × 24. Screen readers ignore them: a text or label must say what they mean. */
export interface IconProps {
  readonly size?: number;
  readonly className?: string;
}

export type Icon = (props: IconProps) => ReactNode;

/** @param paths SVG paths, drawn as lines without fill */
function icon(...paths: readonly string[]): Icon {
  return ({ size = 18, className }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      aria-hidden="true"
      focusable="false"
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}

/** A circle as an SVG path. */
const circle = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;

export const IconOverview = icon('M4 19V11', 'M10 19V5', 'M16 19V13', 'M21 19H3');
export const IconCoin = icon(
  circle(12, 12, 8.5),
  'M14.800 9.300a3.600 3.600 0 1 0 0 5.400',
  'M7.500 11h5',
  'M7.500 13.500h5',
);
export const IconUsage = icon(circle(12, 12, 8.5), 'M12 3.500v8.500h8.500');
export const IconHistory = icon('M3.5 12a8.5 8.5 0 1 0 2.7-6.2', 'M3.5 4v4h4', 'M12 7.5V12l3 2');
export const IconPlay = icon(
  'M7.5 5.2v13.6a.6.6 0 0 0 .9.5l10.7-6.8a.6.6 0 0 0 0-1L8.4 4.7a.6.6 0 0 0-.9.5z',
);
export const IconPause = icon('M9 5.500v13', 'M15 5.500v13');
export const IconJobs = icon(
  'M4 6.500h9',
  'M4 12h9',
  'M4 17.500h9',
  'M16.500 6.500l1.500 1.500 3-3',
  'M16.500 12l1.500 1.500 3-3',
  'M17 17.500h4',
);
export const IconWebhook = icon(
  circle(6, 17, 2.5),
  circle(12, 6.5, 2.5),
  circle(18, 17, 2.5),
  'M8.5 17h7',
  'M10.700 8.700L7.300 14.800',
  'M13.300 8.700l3.400 6.100',
);
export const IconBell = icon('M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15z', 'M10 20.500h4');
export const IconChannels = icon('M4 5.500h16v10.500H11l-4.500 4v-4H4z', 'M8 9.500h8', 'M8 12.500h5');
export const IconMonitor = icon('M3 12h4l2.500-6 5 12 2.500-6h4');
export const IconTerminal = icon('M5 7l5 5-5 5', 'M12.5 18H19');
export const IconKey = icon(circle(8, 15.5, 4), 'M10.9 12.6L19.5 4', 'M16 7.5l3 3', 'M13.2 10.3l2 2');
export const IconUsers = icon(
  circle(9, 8, 3.5),
  'M2.8 19.5c.5-3.4 3-5.2 6.2-5.2s5.7 1.8 6.2 5.2',
  'M16 4.900a3.5 3.5 0 0 1 0 6.2',
  'M17.8 14.700c1.9.7 3 2.3 3.4 4.8',
);
export const IconUser = icon(circle(12, 8, 3.8), 'M4.5 20c.6-3.9 3.7-6 7.5-6s6.9 2.1 7.5 6');
export const IconBook = icon(
  'M5 4.500h10.500a3 3 0 0 1 3 3v12H8a3 3 0 0 1-3-3z',
  'M5 16.500a2.5 2.5 0 0 1 2.5-2.300h11',
);
export const IconSun = icon(
  circle(12, 12, 4),
  'M12 2.500v2',
  'M12 19.500v2',
  'M2.5 12h2',
  'M19.5 12h2',
  'M5.3 5.300l1.4 1.4',
  'M17.3 17.300l1.4 1.4',
  'M5.3 18.700l1.4-1.4',
  'M17.3 6.700l1.4-1.4',
);
export const IconMoon = icon('M20 14.200A8.3 8.3 0 0 1 9.8 4a8.3 8.3 0 1 0 10.2 10.200z');
export const IconDevice = icon('M4 5h16v11H4z', 'M9 20h6', 'M12 16v4');
export const IconSignOut = icon('M14 4.500H6v15h8', 'M11 12h10', 'M17.5 8.500L21 12l-3.5 3.5');
export const IconCopy = icon('M9 9h10.500v10.500H9z', 'M5.5 15H4.500V5.500a1 1 0 0 1 1-1H15v1');
export const IconCheck = icon('M5 12.500l4.5 4.500L19 7.5');
export const IconX = icon('M6 6l12 12', 'M18 6L6 18');
export const IconPlus = icon('M12 5v14', 'M5 12h14');
export const IconSearch = icon(circle(10.5, 10.5, 6), 'M15 15l5 5');
export const IconFilter = icon('M4 6h16', 'M7 12h10', 'M10.5 18h3');
export const IconDownload = icon('M12 4v11', 'M7.5 11L12 15.5 16.5 11', 'M4.5 19.500h15');
export const IconTrash = icon(
  'M4.5 7h15',
  'M9.5 7V4.500h5V7',
  'M6.5 7l.8 12.500h9.400L17.5 7',
  'M10 11v5',
  'M14 11v5',
);
export const IconEdit = icon('M4.5 19.500l1-4L16 5l3 3L8.5 18.500z', 'M14 7l3 3');
export const IconDots = icon('M5 12h.01', 'M12 12h.01', 'M19 12h.01');
export const IconMenu = icon('M4 7h16', 'M4 12h16', 'M4 17h16');
export const IconExternal = icon('M13.5 4.500h6v6', 'M19.5 4.500L11 13', 'M17.5 14v5.500h-13v-13H10');
export const IconChevronDown = icon('M6.5 9.500l5.5 5.5 5.5-5.5');
export const IconChevronRight = icon('M9.5 6.500L15 12l-5.5 5.5');
export const IconChevronLeft = icon('M14.5 6.500L9 12l5.5 5.5');
export const IconArrowLeft = icon('M20 12H4.5', 'M10.5 6l-6 6 6 6');
export const IconArrowRight = icon('M4 12h15.5', 'M13.5 6l6 6-6 6');
export const IconArrowUp = icon('M12 20V4.500', 'M6 10.500l6-6 6 6');
export const IconArrowDown = icon('M12 4v15.500', 'M6 13.500l6 6 6-6');
export const IconSelector = icon('M8 9.500l4-4 4 4', 'M8 14.500l4 4 4-4');
export const IconAlert = icon('M12 4L2.8 19.500h18.400z', 'M12 10v4.5', 'M12 17h.01');
export const IconInfo = icon(circle(12, 12, 8.5), 'M12 11v5', 'M12 8h.01');
export const IconCircleCheck = icon(circle(12, 12, 8.5), 'M8.5 12.300l2.5 2.5 4.5-5');
export const IconCircleX = icon(circle(12, 12, 8.5), 'M9 9l6 6', 'M15 9l-6 6');
export const IconHalf = icon(
  circle(12, 12, 8.5),
  'M12 3.500v17',
  'M12 8l7-2',
  'M12 12.500l8.4-1.5',
  'M12 17l7.3-1.7',
);
export const IconBlocked = icon(circle(12, 12, 8.5), 'M6 6l12 12');
export const IconServer = icon('M4 4.500h16v6H4z', 'M4 13.500h16v6H4z', 'M7.5 7.500h.01', 'M7.5 16.500h.01');
export const IconProxies = icon(
  circle(5.5, 12, 2.5),
  circle(18.5, 5.5, 2.5),
  circle(18.5, 18.5, 2.5),
  'M8 11l8-4.300',
  'M8 13l8 4.300',
);
export const IconVendors = icon(
  'M9 3.500v5',
  'M15 3.500v5',
  'M6.500 8.500h11v3a5.500 5.500 0 0 1-11 0z',
  'M12 17v3.500',
);
export const IconClipboard = icon('M9 5H6v15h12V5h-3', 'M9 3.500h6v3.500H9z', 'M9 12h6', 'M9 15.500h4');
export const IconCompass = icon(circle(12, 12, 8.5), 'M15.5 8.500l-2 5-5 2 2-5z');
export const IconGlobe = icon(
  circle(12, 12, 8.5),
  'M3.5 12h17',
  'M12 3.500c2.4 2.4 3.6 5.2 3.6 8.500s-1.2 6.1-3.6 8.500c-2.4-2.4-3.6-5.2-3.6-8.500S9.6 5.9 12 3.500z',
);
export const IconClock = icon(circle(12, 12, 8.5), 'M12 7v5l3.5 2');
export const IconLock = icon('M5.5 11h13v9h-13z', 'M8.5 11V8a3.5 3.5 0 0 1 7 0v3', 'M12 14.500v2');
export const IconSliders = icon(
  'M4 8h8',
  'M17 8h3',
  circle(14.5, 8, 2.3),
  'M4 16h3',
  'M12 16h8',
  circle(9.5, 16, 2.3),
);
export const IconFile = icon('M6 3.500h8L18.5 8v12.500H6z', 'M14 3.500V8h4.5');
export const IconRotate = icon(
  'M4.5 12a7.5 7.5 0 0 1 13-5.100L20 9.5',
  'M20 4.500v5h-5',
  'M19.5 12a7.5 7.5 0 0 1-13 5.100L4 14.5',
  'M4 19.500v-5h5',
);
export const IconStop = icon('M6.5 6.500h11v11h-11z');
export const IconBookmark = icon('M6.5 4h11v16L12 15.500 6.5 20z');
export const IconLink = icon(
  'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.300l-1 1',
  'M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.700l1-1',
);
export const IconTable = icon(
  'M4.5 5h15a.5.5 0 0 1 .5.5v13a.5.5 0 0 1-.5.5h-15a.5.5 0 0 1-.5-.5v-13a.5.5 0 0 1 .5-.5z',
  'M4 10h16',
  'M4 14.500h16',
  'M10 10v9',
);

/** The logo of Sluice: three gates of a sluice at different heights, and the water below them. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--mantine-primary-color-filled)" />
      <path d="M9 7.6v3M16 7.6v6M23 7.6v9" stroke="#fff" strokeWidth="4" strokeLinecap="round" />
      <path
        d="M6.5 22.8c1.6 0 1.6 1.3 3.2 1.3s1.6-1.3 3.15-1.3 1.6 1.3 3.15 1.3 1.6-1.3 3.15-1.3 1.6 1.3 3.15 1.3 1.6-1.3 3.2-1.3"
        stroke="#b3c7ff"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  );
}
