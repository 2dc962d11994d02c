const GT = 0x3e;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const EQUALS = 0x3d;

/**
 * Where the tag that begins at `at` ends: the place of its `>`; the length of the page when it does not. Quoted values
 * may hold one (HTML §13.2.5).
 */
export function tagEnd(bytes: Uint8Array, at: number): number {
  const { length } = bytes;
  for (let i = at + 1; i < length; i++) {
    const byte = bytes[i]!;
    // Letters, which most are.
    if (byte > GT) continue;
    if (byte === GT) return i;
    if ((byte === QUOTE || byte === APOSTROPHE) && bytes[i - 1] === EQUALS)
      for (i++; i < length && bytes[i] !== byte; i++);
  }
  return length;
}

/** Whether a tag may have an id that `MOUNT_IDS` fits. Nearly none has, and to look here costs less. */
export function mayMount(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) {
    if (bytes[at] !== EQUALS || !endsId(bytes[at - 1]!)) continue;
    const next = bytes[at + 1]!;
    if (beginsId(next === QUOTE || next === APOSTROPHE ? bytes[at + 2]! : next)) return true;
  }
  return false;
}

/** D, or a space; what is no ASCII may be one. */
const endsId = (byte: number): boolean => (byte | 0x20) === 0x64 || byte <= 0x20 || byte >= 0x80;

function beginsId(byte: number): boolean {
  if (byte <= 0x20 || byte >= 0x80) return true;
  switch (byte | 0x20) {
    case 0x61: // app
    case 0x65: // ember-app
    case 0x6d: // main-app
    case 0x71: // q-app
    case 0x72: // root
    case 0x73: // svelte
    case 0x7f: // __next
      return true;
    default:
      return false;
  }
}

export const MOUNT_IDS =
  /\bid\s{0,3}=\s{0,3}["']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|react-root|main-app|app-root|ember-app|mount|single-spa-application)(?:["'\s/>]|$)/i;
