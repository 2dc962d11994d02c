import { commandLine } from './command-line.ts';
import { curlCommand } from './curl.ts';
import { goProgram, javaProgram, phpProgram, rubyProgram } from './plain-http.ts';
import { pythonProgram, typeScriptProgram } from './sdk.ts';
import { SCRAPE, type WriteSnippet, whole } from './snippet.ts';

interface SnippetLanguage {
  readonly write: WriteSnippet;
  /** The name of the language for coloring. */
  readonly syntax: string;
}

/** The languages of examples, in the order of their tabs, by the names that readers see. */
export const SNIPPET_LANGUAGES = {
  curl: { write: (...call) => whole(curlCommand(...call)), syntax: 'bash' },
  TypeScript: { write: typeScriptProgram, syntax: 'ts' },
  Python: { write: pythonProgram, syntax: 'python' },
  CLI: {
    write: (baseUrl, request, path = SCRAPE) =>
      path === SCRAPE ? commandLine(baseUrl, request) : { code: null, missing: ['/url'] },
    syntax: 'bash',
  },
  Go: { write: goProgram, syntax: 'go' },
  PHP: { write: phpProgram, syntax: 'php' },
  Ruby: { write: rubyProgram, syntax: 'ruby' },
  Java: { write: javaProgram, syntax: 'java' },
} as const satisfies Readonly<Record<string, SnippetLanguage>>;
