import { t } from '@lingui/core/macro';
import { SNIPPET_LANGUAGES } from '../../../../../src/snippets/languages.ts';
import type { WriteSnippet } from '../../../../../src/snippets/snippet.ts';
import { firecrawlProgram } from './firecrawl.ts';
import { EXAMPLE_PORT, proxyPortCommand } from './proxy-port.ts';

interface CodeLanguage {
  readonly write: WriteSnippet;
  /** What the code needs besides the API key; '' for nothing. */
  readonly needs: string;
  /** Why the code may lack members of the request. */
  readonly reason: string;
}

const { curl, TypeScript, Python, CLI, Go, PHP, Ruby, Java } = SNIPPET_LANGUAGES;

/** The languages of the playground, in the order of their tabs. */
export const LANGUAGES = {
  curl: { ...curl, needs: '', reason: '' },
  TypeScript: {
    ...TypeScript,
    needs: t`The package sluice-client is in clients/typescript of Sluice.`,
    reason: t`JavaScript cannot represent these numbers exactly.`,
  },
  Python: {
    ...Python,
    needs: t`The package sluice-client is in clients/python of Sluice.`,
    reason: t`Python cannot represent these numbers exactly.`,
  },
  CLI: {
    ...CLI,
    needs: t`The command is bin/sluice of Sluice.`,
    reason: t`The command takes no such URL.`,
  },
  Go: { ...Go, needs: '', reason: '' },
  PHP: { ...PHP, needs: '', reason: '' },
  Ruby: { ...Ruby, needs: '', reason: '' },
  Java: { ...Java, needs: '', reason: '' },
  Firecrawl: {
    write: firecrawlProgram,
    needs: t`The service needs SLUICE_DIALECTS=firecrawl.`,
    reason: t`The options of Firecrawl’s client cannot express this.`,
  },
  'Proxy port': {
    write: proxyPortCommand,
    needs: t`In place of ${EXAMPLE_PORT} goes the port that the operator has set (SLUICE_PROXY_PORT).`,
    reason: t`The request and response of a proxy have no place for this.`,
  },
} as const satisfies Readonly<Record<string, CodeLanguage>>;

export type LanguageName = keyof typeof LANGUAGES;
export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as readonly LanguageName[];

/** The others are names, which are the same in all languages. */
export const languageLabel = (name: LanguageName): string => (name === 'Proxy port' ? t`Proxy port` : name);
