import type { KeptPicture, Pictures } from '../../../domain/pictures.ts';
import type { PictureType } from '../../../domain/screenshot.ts';

/** They stand in databases: never change one. */
const LETTERS: Readonly<Record<PictureType, string>> = {
  'image/png': 'p',
  'image/jpeg': 'j',
  'image/webp': 'w',
};
const TYPES = new Map(Object.entries(LETTERS).map(([type, letter]) => [letter, type as PictureType]));

/** By number, with commas between: a letter for the type and the length, or nothing. null: there are none at all. */
export function pictureColumn(pictures: Pictures): string | null {
  if (pictures.length === 0) return null;
  return pictures.map((one) => (one === null ? '' : `${LETTERS[one.type]}${one.bytes}`)).join(',');
}

export function picturesOfColumn(text: string | null): Pictures {
  return text === null ? NONE : text.split(',').map(pictureOf);
}

function pictureOf(text: string): KeptPicture | null {
  const type = TYPES.get(text.charAt(0));
  return type === undefined ? null : { type, bytes: Number(text.slice(1)) };
}

const NONE: Pictures = Object.freeze([]);
