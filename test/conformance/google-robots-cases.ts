/** One expectation of Google's suite for its matcher of robots.txt. */
export interface RobotsCase {
  readonly test: string;
  readonly robots: string;
  readonly agent: string;
  readonly url: string;
  readonly allowed: boolean;
}

const CALL = /EXPECT_(TRUE|FALSE)\(\s*IsUserAgentAllowed\(([\s\S]*?)\)\);/y;
const ASSIGN = /(?:const )?(?:absl::string_view|std::string)\s+(\w+)\s*=\s*((?:"(?:[^"\\]|\\.)*"\s*)+);/y;
/** A text that is computed from here on. */
const APPEND = /absl::StrAppend\(&(\w+),/y;
const TEST = /TEST\(RobotsUnittest, (\w+)\)/y;
const ARGUMENT = /((?:"(?:[^"\\]|\\.)*"\s*)+|\w+)(?:,|$)\s*/g;

/** The expectations in the C++ source; those that are computed there are left out. */
export function googleRobotsCases(source: string): RobotsCase[] {
  const cases: RobotsCase[] = [];
  const texts = new Map<string, string>();
  let test = '';
  const textOf = (argument: string): string | null =>
    argument.startsWith('"') ? literal(argument) : (texts.get(argument) ?? null);
  for (let at = 0; at < source.length; ) {
    const found = [TEST, ASSIGN, APPEND, CALL]
      .map((pattern) => {
        pattern.lastIndex = at;
        return [pattern, pattern.exec(source)] as const;
      })
      .find(([, match]) => match !== null);
    if (found === undefined) {
      at++;
      continue;
    }
    const [pattern, match] = found as [RegExp, RegExpExecArray];
    at += match[0].length;
    if (pattern === TEST) {
      test = match[1]!;
      texts.clear();
    } else if (pattern === ASSIGN) texts.set(match[1]!, literal(match[2]!));
    else if (pattern === APPEND) texts.delete(match[1]!);
    else if (!match[2]!.includes('StrCat(')) {
      const [robots, agent, url] = [...match[2]!.matchAll(ARGUMENT)].map(([, one]) => textOf(one!.trim()));
      if (typeof robots !== 'string' || typeof agent !== 'string' || typeof url !== 'string') continue;
      cases.push({ test, robots, agent, url, allowed: match[1] === 'TRUE' });
    }
  }
  return cases;
}

function literal(text: string): string {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
    .map(([, inner]) => inner!.replaceAll('\\n', '\n').replaceAll('\\r', '\r').replaceAll('\\"', '"'))
    .join('');
}
