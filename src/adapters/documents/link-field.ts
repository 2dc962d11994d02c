/** Switches of a link with their arguments, and arguments alone (ECMA-376 part 1, §17.16.5.25). */
const LINK_PARTS = /\\([a-z])(?:\s*"([^"]*)")?|"([^"]*)"|([^\s\\"]+)/gi;

/** Where the code of a field of DOCX or RTF leads: the address with the place in it, without window and tip; null: it is no link. */
export function linkTarget(code: string): string | null {
  const link = /^\s*HYPERLINK\b(.*)$/is.exec(code);
  if (link === null) return null;
  let address = '';
  let place = '';
  for (const [, option, argument, quoted, bare] of link[1]!.matchAll(LINK_PARTS)) {
    if (option === undefined) address ||= quoted ?? bare!;
    else if (option.toLowerCase() === 'l') place = argument ?? '';
  }
  return place === '' ? address : `${address}#${place}`;
}
