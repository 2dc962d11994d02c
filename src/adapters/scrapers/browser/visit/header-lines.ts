import type { HeaderList } from '../../../../domain/fetched.ts';

/** The field lines as they came: from the text of the head where there is one, else from the joined values. */
export function headerLines(headers: Readonly<Record<string, string>>, text: string | undefined): HeaderList {
  if (text !== undefined) {
    const lines = text
      .split(/\r?\n/)
      .slice(1)
      .flatMap((line): [string, string][] => {
        const colon = line.indexOf(':');
        return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
      });
    if (lines.length > 0) return lines;
  }
  return Object.entries(headers).flatMap(([name, value]) =>
    value.split('\n').map((one): [string, string] => [name.toLowerCase(), one]),
  );
}

export function fieldOf(headers: HeaderList, name: string): string | null {
  const values = headers.filter(([one]) => one === name).map(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
}
