import { text } from 'node:stream/consumers';

/** The password as given, or with `-` the first line of standard input. */
export async function readPassword(given: string): Promise<string> {
  if (given !== '-') return given;
  return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? '';
}
