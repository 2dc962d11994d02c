import { Tabs } from '@mantine/core';
import type { Ref } from 'react';
import { BASE_PATH } from '../../app/page-config.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { TextLink } from '../../ui/text.tsx';
import { JsonEditor } from './json-editor.tsx';
import type { JsonObject } from './model/json.ts';
import { collapseShorthands } from './model/request-fields.ts';
import classes from './playground.module.css';
import { curlCommand, nodeProgram, pythonProgram } from './snippets.ts';
import type { Draft } from './use-draft.ts';

const SNIPPET_LANGUAGES = ['curl', 'Node', 'Python'] as const;
type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

const SNIPPETS: Readonly<Record<SnippetLanguage, (url: string, request: JsonObject) => string>> = {
  curl: curlCommand,
  Node: nodeProgram,
  Python: pythonProgram,
};

interface CodePanelProps {
  readonly language: SnippetLanguage;
  readonly request: JsonObject;
}

/** The request as code. */
function CodePanel({ language, request }: CodePanelProps) {
  const code = SNIPPETS[language](`${location.origin}${BASE_PATH}/api/v1/scrape/`, request);
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

export type SourceTab = 'JSON' | SnippetLanguage;

interface SourcePanelProps {
  readonly draft: Draft;
  readonly marks: ReadonlyMap<number, string>;
  readonly tab: SourceTab;
  readonly onTab: (tab: SourceTab) => void;
  readonly editorRef: Ref<HTMLTextAreaElement>;
}

/** The request as JSON to edit, and as code to copy. */
export function SourcePanel({ draft, marks, tab, onTab, editorRef }: SourcePanelProps) {
  const request = collapseShorthands(draft.request);
  return (
    <Tabs value={tab} onChange={(next) => onTab(next as SourceTab)} className={classes.source}>
      <Tabs.List aria-label="The request as text" className={classes.sourceTabs}>
        <Tabs.Tab value="JSON">JSON</Tabs.Tab>
        {SNIPPET_LANGUAGES.map((language) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="JSON" className={classes.editor}>
        <JsonEditor
          text={draft.text}
          onChange={draft.setText}
          fault={draft.fault}
          marks={marks}
          ref={editorRef}
        />
      </Tabs.Panel>
      {SNIPPET_LANGUAGES.map((language) => (
        <Tabs.Panel key={language} value={language}>
          {tab === language && <CodePanel language={language} request={request} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
