/** A text as one word of a POSIX shell, whatever it holds; a NUL cannot be in it. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
