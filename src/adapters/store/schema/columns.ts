import { uuidBytes, uuidText } from '../../../base/uuid7.ts';

/** A value of a column; of a string union any text. */
type Stored<V> = V extends string ? string : V;

/** The members of a row whose values are of a type. */
type MembersOf<R, V> = { [M in keyof R]: R[M] extends V ? M : never }[keyof R];

/** The column of a table for a member of a row of the domain. */
interface Column<R, M extends keyof R, V> {
  readonly member: M;
  encode(value: R[M]): V;
  decode(stored: V): R[M];
}

type AnyColumn = {
  readonly member: PropertyKey;
  // biome-ignore lint/suspicious/noExplicitAny: the values of any column.
  encode(value: any): any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  decode(stored: any): any;
};
type Columns = Readonly<Record<string, AnyColumn>>;

/** The row of a table with these columns. */
export type TableOf<C extends Columns> = { -readonly [K in keyof C]: ReturnType<C[K]['encode']> };

/** The members that these columns hold. */
type RowOf<C extends Columns> = {
  readonly [K in keyof C as C[K]['member']]: ReturnType<C[K]['decode']>;
};

/** What makes the columns for the members of rows of one type: each takes the name of the member. */
export function columnsFor<R>() {
  const column = <M extends keyof R, V>(
    member: M,
    encode: (value: R[M]) => V,
    decode: (stored: V) => R[M],
  ): Column<R, M, V> => ({ member, encode, decode });
  return {
    column,
    /** Stored as it is. */
    plain: <M extends keyof R>(member: M) =>
      column<M, Stored<R[M]>>(
        member,
        (value) => value as Stored<R[M]>,
        (stored) => stored as R[M],
      ),
    /** Stored as 1 or 0. */
    flag: <M extends MembersOf<R, boolean>>(member: M) =>
      column<M, number>(
        member,
        (value) => (value ? 1 : 0),
        (stored) => (stored === 1) as R[M],
      ),
    /** A UUID that Sluice created, stored as its 16 bytes. */
    id: <M extends MembersOf<R, string>>(member: M) =>
      column<M, Uint8Array>(
        member,
        (value) => idBytes(value as string),
        (stored) => uuidText(stored) as R[M],
      ),
    optionalId: <M extends MembersOf<R, string | null>>(member: M) =>
      column<M, Uint8Array | null>(
        member,
        (value) => (value === null ? null : idBytes(value as string)),
        (stored) => (stored === null ? null : uuidText(stored)) as R[M],
      ),
    /** Stored as JSON; null as null. */
    json: <M extends keyof R>(member: M) =>
      column<M, null extends R[M] ? string | null : string>(
        member,
        (value) => (value === null ? null : JSON.stringify(value)) as string,
        (stored) => (stored === null ? null : JSON.parse(stored)) as R[M],
      ),
    /** Bytes. They are copied, because posting a view to another thread would also copy the rest of its buffer. */
    bytes: <M extends MembersOf<R, Uint8Array>>(member: M) =>
      column<M, Uint8Array>(
        member,
        (value) => Uint8Array.from(value as Uint8Array),
        (stored) => stored as R[M],
      ),
  };
}

/** The columns of a row. */
export const encodeRow = <C extends Columns>(columns: C, row: RowOf<C>): TableOf<C> =>
  encoded(columns, row) as TableOf<C>;

/** The columns for the members that are not undefined. */
export const encodeChange = <C extends Columns>(columns: C, change: Partial<RowOf<C>>): Partial<TableOf<C>> =>
  encoded(columns, change) as Partial<TableOf<C>>;

function encoded(columns: Columns, members: Readonly<Record<PropertyKey, unknown>>): object {
  const given = Object.entries(columns).filter(([, { member }]) => members[member] !== undefined);
  return Object.fromEntries(given.map(([name, { member, encode }]) => [name, encode(members[member])]));
}

/** The members that the columns of a row of the table hold. */
export const decodeRow = <C extends Columns>(
  columns: C,
  row: { readonly [K in keyof C]: unknown },
): RowOf<C> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { member, decode }]) => [member, decode(row[name])]),
  ) as RowOf<C>;

/**
 * The 16 bytes of a UUID; null: it is not one. In a buffer of their own, because `postMessage` of a view copies the whole
 * buffer behind it.
 */
export function idOrNull(text: string): Uint8Array | null {
  const bytes = uuidBytes(text);
  return bytes === null ? null : Uint8Array.from(bytes);
}

/** For ids that Sluice created. @throws TypeError if the text is not a UUID, which is a bug */
export function idBytes(text: string): Uint8Array {
  const bytes = idOrNull(text);
  if (bytes === null) throw new TypeError(`not a UUID: ${JSON.stringify(text.slice(0, 80))}`);
  return bytes;
}
