import { BASE_PATH } from '../../../app/page-config.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { TextLink } from '../../../ui/text.tsx';
import type { JsonObject } from '../model/json.ts';
import classes from './code-panel.module.css';
import { curlCommand, nodeProgram, pythonProgram } from './snippets.ts';

export const LANGUAGES = ['curl', 'Node', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

const WRITERS: Readonly<Record<Language, (url: string, request: JsonObject) => string>> = {
  curl: curlCommand,
  Node: nodeProgram,
  Python: pythonProgram,
};

interface CodePanelProps {
  readonly language: Language;
  readonly request: JsonObject;
}

/** The request as code that does the same from elsewhere. */
export function CodePanel({ language, request }: CodePanelProps) {
  const code = WRITERS[language](`${location.origin}${BASE_PATH}/api/v1/scrape/`, request);
  return (
    <div className={classes.panel}>
      <p className={classes.hint}>
        Set <code className="mono">SLUICE_API_KEY</code> in the environment to one of{' '}
        <TextLink to="/keys">your keys</TextLink>.
      </p>
      <CodeBlock code={code} label={language} />
    </div>
  );
}
