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

/**
 * What was sent, as HTTP/1 has it: the `:authority` of HTTP/2 is the host, and of what browsers write for a proxy in place
 * of `Connection` the gateway makes that again.
 */
export function sentLines(headers: Readonly<Record<string, string>>): HeaderList {
  const lines: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (lower === ':authority') lines.unshift(['host', value]);
    else if (lower === 'proxy-connection') lines.push(['connection', value]);
    else if (!lower.startsWith(':')) lines.push([lower, value]);
  }
  return lines;
}

export function fieldOf(headers: HeaderList, name: string): string | null {
  const values = headers.filter(([one]) => one === name).map(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
}

/** Where a redirect leads; null: it is none. An empty `Location` is none, and of several alike the first counts. */
export function locationOf(status: number, headers: HeaderList): string | null {
  if (![301, 302, 303, 307, 308].includes(status)) return null;
  return headers.find(([name, value]) => name === 'location' && value !== '')?.[1] ?? null;
}
