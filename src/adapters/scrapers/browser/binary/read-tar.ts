/** A regular file of an archive. */
export interface TarFile {
  /** Relative, without `..`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  /** Milliseconds since the epoch. */
  readonly modifiedMs: number;
}

const BLOCK = 512;
const text = new TextDecoder('latin1');

/**
 * The regular files of a tar archive (POSIX ustar). Folders are made by whoever writes the files. Throws when there is
 * anything else in it, such as a link, or a path that leads out: then it is not the archive that we know.
 */
export function readTar(archive: Uint8Array): readonly TarFile[] {
  const files: TarFile[] = [];
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK);
    if (header[0] === 0) break;
    const kind = String.fromCharCode(header[156]!);
    const size = octal(header, 124, 12);
    const end = at + BLOCK + size;
    if (end > archive.length) throw new Error('the archive is truncated');
    const prefix = field(header, 345, 155);
    const name = field(header, 0, 100);
    const path = (prefix === '' ? name : `${prefix}/${name}`).replace(/^\.\//, '');
    if (path.startsWith('/') || path.split('/').includes('..'))
      throw new Error(`${path} points outside the archive`);
    if (kind === '0' || kind === '\0') {
      files.push({
        path,
        bytes: archive.subarray(at + BLOCK, end),
        executable: (octal(header, 100, 8) & 0o100) !== 0,
        modifiedMs: octal(header, 136, 12) * 1000,
      });
    } else if (kind !== '5') throw new Error(`${path} is neither a file nor a folder`);
    at = BLOCK * Math.ceil(end / BLOCK);
  }
  return files;
}

function field(header: Uint8Array, from: number, length: number): string {
  const end = header.indexOf(0, from);
  return text.decode(header.subarray(from, end < 0 || end > from + length ? from + length : end));
}

function octal(header: Uint8Array, from: number, length: number): number {
  const digits = field(header, from, length).trim();
  if (!/^[0-7]+$/.test(digits)) throw new Error('the archive is damaged');
  return Number.parseInt(digits, 8);
}
