import type { HeaderList } from '../../../../domain/fetched.ts';

/**
 * The field lines as they came, each value a byte string, as HTTP scrapers have them.
 * @param headers `Network.responseReceivedExtraInfo`: by name, values that repeat joined by line ends
 * @param text the head, in the order of its lines, where there is one; Chromium leaves bytes out of it that are no UTF-8
 */
export function headerLines(headers: Readonly<Record<string, string>>, text: string | undefined): HeaderList {
  const values = new Map<string, string[]>();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    const lines = value.split('\n').map(byteString);
    values.set(lower, [...(values.get(lower) ?? []), ...lines]);
  }
  const lines: [string, string][] = [];
  for (const name of namesIn(text ?? '')) {
    const value = values.get(name)?.shift();
    if (value !== undefined) lines.push([name, value]);
  }
  for (const [name, left] of values) for (const value of left) lines.push([name, value]);
  return lines;
}

const namesIn = (head: string): readonly string[] =>
  head
    .split(/\r?\n/)
    .slice(1)
    .map((line) =>
      line
        .slice(0, Math.max(0, line.indexOf(':')))
        .trim()
        .toLowerCase(),
    );

/** Chromium tells the bytes of a value as windows-1252: of the code points beyond Latin-1, the byte each stands for. */
const BYTES = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, n) => 0x80 + n)),
    (char, n) => [char, String.fromCharCode(0x80 + n)],
  ),
);

const byteString = (value: string): string =>
  value.replace(/[^\x00-\xff]/g, (char) => BYTES.get(char) ?? char);

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
