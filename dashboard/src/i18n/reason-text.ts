/** Why the router has taken a step, translated. Reasons are made of the texts of `src/router/reasons.ts`. */
export function reasonText(reason: string, inLanguage: (text: string) => string): string {
  const ending = (words: string): string => {
    const [, code] = /^an error \(([\w.]+)\)$/.exec(words) ?? [];
    if (code !== undefined) return filled(inLanguage('an error ({0})'), code);
    const [, page, lack] = /^(.+) \((.+)\)$/.exec(words) ?? [];
    return page === undefined || lack === undefined
      ? inLanguage(words)
      : `${inLanguage(page)} (${inLanguage(lack)})`;
  };
  const [, again] = /^again after (.+)$/.exec(reason) ?? [];
  if (again !== undefined) return filled(inLanguage('again after {0}'), ending(again));
  const [, before, next] = /^after (.+?): (.+)$/.exec(reason) ?? [];
  return before === undefined || next === undefined
    ? inLanguage(reason)
    : filled(inLanguage('after {0}: {1}'), ending(before), inLanguage(next));
}

const filled = (template: string, ...values: readonly string[]): string =>
  template.replace(/\{(\d)\}/g, (_, n: string) => values[Number(n)]!);
