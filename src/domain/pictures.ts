import type { Page } from './fetched.ts';
import type { PictureType, Screenshot } from './screenshot.ts';

/** A picture in the BlobStore. */
export interface KeptPicture {
  readonly type: PictureType;
  /** Its length. */
  readonly bytes: number;
}

/** By their numbers; null: there is none of this number. */
export type Pictures = readonly (KeptPicture | null)[];

/** Number of the picture that `screenshot` asks for; those of the actions follow. */
export const SCREENSHOT = 0;

const NONE: readonly never[] = Object.freeze([]);

/** The pictures of a page by their numbers; null: there is none of this number. */
export function picturesOf(page: Pick<Page, 'screenshot' | 'actions'>): readonly (Screenshot | null)[] {
  const { screenshot, actions } = page;
  if (screenshot === undefined && actions === undefined) return NONE;
  const ofActions = (actions ?? []).flatMap((action) => action.screenshot ?? []);
  return screenshot === undefined && ofActions.length === 0 ? NONE : [screenshot ?? null, ...ofActions];
}

/** Where the BlobStore has a picture of a record. */
export function pictureKey(id: string, number: number): string {
  return `${id}-${number.toString(16)}`;
}

/** All that the BlobStore has of a record. */
export function blobKeys({
  id,
  contentInBlob,
  pictures,
}: {
  readonly id: string;
  readonly contentInBlob: boolean;
  readonly pictures: Pictures;
}): string[] {
  const numbers = pictures.flatMap((kept, number) => (kept === null ? [] : [number]));
  return [...(contentInBlob ? [id] : []), ...numbers.map((number) => pictureKey(id, number))];
}

/** The number in the key of a picture. */
export function numberOfKey(key: string): number {
  return Number.parseInt(key.slice(37), 16);
}

/** The id in a key. */
export function recordOfKey(key: string): string {
  return key.slice(0, 36);
}
