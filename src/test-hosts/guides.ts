import { escaped, htmlPage } from './html.ts';

interface Guide {
  readonly name: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Pages of its own, as deeper levels of the site. */
  readonly parts?: readonly Guide[];
}

/** A small site of guides, for crawls, maps and main content. Its paragraphs are long enough to be a text. */
const GUIDES: readonly Guide[] = [
  {
    name: 'kettle',
    title: 'How to care for a kettle',
    paragraphs: [
      'Empty the kettle in the evening and leave the lid open, so that it dries overnight. Water that stands in it for days leaves a grey rim, and after some weeks a taste.',
      'Lime comes off with vinegar: one part of vinegar, two parts of water, half an hour of patience. Boil clear water twice afterwards, and pour it away.',
      'Never put the base into water. If the contact is wet, let it dry for a day before you use it again.',
    ],
    parts: [
      {
        name: 'repair',
        title: 'Repairing a kettle',
        paragraphs: [
          'A kettle that switches off too early usually has lime on its sensor. Clean it first, and only then think of a repair.',
          'The lid can be replaced without tools: open it fully, press its left hinge, and lift it out.',
        ],
      },
    ],
  },
  {
    name: 'anvil',
    title: 'Choosing an anvil',
    paragraphs: [
      'The weight of an anvil should be fifty times that of the heaviest hammer. A lighter one moves, and what moves does not forge.',
      'Strike the face with a small hammer and listen. A clear ring that lasts for seconds speaks for good steel without cracks.',
    ],
    parts: [
      {
        name: 'stand',
        title: 'A stand for the anvil',
        paragraphs: [
          'The face should be as high as your knuckles when your arm hangs down. A trunk of oak is the oldest stand, and still a good one.',
        ],
      },
      {
        name: 'rust',
        title: 'Keeping rust away',
        paragraphs: [
          'A thin coat of oil after each day of work is enough. Cover the anvil only when it is dry.',
        ],
      },
    ],
  },
  {
    name: 'lantern',
    title: 'Lighting a lantern safely',
    paragraphs: [
      'Fill the lantern outside, and wipe off what was spilled. Trim the wick straight, a finger above its holder.',
      'Let the glass warm up on a small flame for two minutes. Cold glass on a high flame breaks.',
    ],
  },
  {
    name: 'returns',
    title: 'Returns and refunds',
    paragraphs: [
      'You may return any product within a month. Write the number of the order on the parcel, and keep the receipt of the post office.',
      'The money is back on your account within five days after the parcel has arrived.',
    ],
  },
];

interface PlacedGuide {
  readonly path: string;
  readonly guide: Guide;
}

const placed = (guides: readonly Guide[], above: string): readonly PlacedGuide[] =>
  guides.flatMap((guide) => {
    const path = `${above}/${guide.name}`;
    return [{ path, guide }, ...placed(guide.parts ?? [], path)];
  });

const ALL = placed(GUIDES, '/docs');

export const GUIDE_PATHS: readonly string[] = ['/docs', ...ALL.map(({ path }) => path)];

const link = ({ path, guide }: PlacedGuide): string =>
  `<li><a href="${path}">${escaped(guide.title)}</a></li>`;
const MENU = `<nav><a href="/docs">All guides</a> <a href="/shop">Shop</a> <a href="/private/notes">Notes</a></nav>`;
const FOOT = '<footer>Guides of the test shop. This line stands on each page.</footer>';

/** @returns null: there is no guide at this path */
export function guidePage(path: string): string | null {
  if (path === '/docs')
    return htmlPage({
      title: 'Guides of the test shop',
      body: `${MENU}<main><h1>Guides</h1><ul>${ALL.map(link).join('')}</ul></main>${FOOT}`,
    });
  const found = ALL.find((one) => one.path === path);
  if (found === undefined) return null;
  const { title, paragraphs } = found.guide;
  const below = ALL.filter((one) => one.path.startsWith(`${path}/`));
  const more = below.length === 0 ? '' : `<h2>More</h2><ul>${below.map(link).join('')}</ul>`;
  const text = paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('\n');
  return htmlPage({
    title: `${title} – Guides of the test shop`,
    head: `<meta name="description" content="${escaped(paragraphs[0]!)}">\n`,
    body: `${MENU}<main><article><h1>${escaped(title)}</h1>\n${text}${more}</article></main>${FOOT}`,
  });
}
