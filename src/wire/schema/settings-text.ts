import { createRequire } from 'node:module';

/**
 * Parses a file of settings: YAML, of which JSON is a subset. Messages of the parser are not used, because they quote the file.
 * @param problems gets what is wrong with it
 */
export function parseSettingsText(text: string, problems: string[]): unknown {
  // Loaded lazily, because most installations have no such file.
  const { LineCounter, parseDocument, visit }: typeof import('yaml') = createRequire(import.meta.url)('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
  for (const { code, pos } of document.errors.slice(0, 10))
    problems.push(`line ${lineCounter.linePos(pos[0]).line} is not YAML (${code.toLowerCase()})`);
  if (problems.length > 0) return null;
  let aliases = 0;
  visit(document, {
    Alias() {
      aliases++;
    },
  });
  if (aliases > 0) problems.push('has aliases (`*name`), which are not supported');
  return aliases > 0 ? null : document.toJS();
}

/** Removes the value from a message, because it may be a URL with a password. */
export function withoutValues(message: string): string {
  return message.replace(/, got .*$/s, '');
}
