type Path = readonly (string | number)[];

interface BytesAt {
  readonly path: Path;
  readonly bytes: Uint8Array;
}

interface PackHeader {
  readonly value: unknown;
  /** Where the bytes belong that follow the header, in their order. */
  readonly parts: readonly (readonly [path: Path, length: number])[];
}

const LENGTH_BYTES = 4;

/**
 * Plain data as bytes: the length of a header (4 bytes, big-endian), the header as JSON, and then all byte arrays, which JSON has
 * no form for. Functions and members that are undefined are left out.
 * @throws TypeError for an object of a class, because its private members would be lost
 */
export function pack(value: unknown): readonly Uint8Array[] {
  const parts: BytesAt[] = [];
  const plain = withoutBytes(value, [], parts);
  const header: PackHeader = { value: plain, parts: parts.map(({ path, bytes }) => [path, bytes.length]) };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  return [length, text, ...parts.map(({ bytes }) => bytes)];
}

/** The value with null in the place of byte arrays, which are added to `parts`. Copies only what contains some. */
function withoutBytes(value: unknown, path: Path, parts: BytesAt[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) {
    parts.push({ path, bytes: value });
    return null;
  }
  if (!isPlain(value)) throw new TypeError(`cannot be packed: ${['value', ...path].join('/')}`);
  let copy: Record<string | number, unknown> | null = null;
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    const plain = withoutBytes(member, [...path, key], parts);
    if (plain === member) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[key] = plain;
  }
  return copy ?? value;
}

const PLAIN: readonly unknown[] = [Object.prototype, Array.prototype, null];
const isPlain = (value: object): boolean => PLAIN.includes(Object.getPrototypeOf(value));

/**
 * The reverse of `pack`, from pieces of any size, in their order.
 * @param next the next piece; null: there is none, which is an error before the end
 */
export async function unpack(next: () => Promise<Uint8Array | null>): Promise<unknown> {
  const source = byteSource(next);
  const length = Buffer.from(await source(LENGTH_BYTES)).readUInt32BE();
  const { value, parts } = JSON.parse(Buffer.from(await source(length)).toString()) as PackHeader;
  const root = { value };
  for (const [path, size] of parts) place(root, ['value', ...path], await source(size));
  return root.value;
}

function place(root: object, path: Path, bytes: Uint8Array): void {
  let parent = root as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>;
  parent[path.at(-1)!] = bytes;
}

/** Reads so many bytes, always into memory of their own, so that it can be freed. */
function byteSource(next: () => Promise<Uint8Array | null>): (length: number) => Promise<Uint8Array> {
  let piece: Uint8Array = new Uint8Array();
  return async (length) => {
    const bytes = new Uint8Array(length);
    for (let filled = 0; filled < length; ) {
      if (piece.length === 0) {
        const more = await next();
        if (more === null) throw new Error('the bytes end too early');
        piece = more;
        continue;
      }
      const taken = piece.subarray(0, length - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      piece = piece.subarray(taken.length);
    }
    return bytes;
  };
}

/** Joins byte arrays to pieces of `size` bytes; the last one may be shorter. Never yields an empty piece. */
export function* piecesOf(arrays: readonly Uint8Array[], size: number): Generator<Uint8Array> {
  let piece: Uint8Array[] = [];
  let length = 0;
  for (const array of arrays)
    for (let offset = 0; offset < array.length; ) {
      const taken = array.subarray(offset, offset + size - length);
      piece.push(taken);
      length += taken.length;
      offset += taken.length;
      if (length < size) continue;
      yield Buffer.concat(piece);
      piece = [];
      length = 0;
    }
  if (length > 0) yield Buffer.concat(piece);
}
