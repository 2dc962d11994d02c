import { Tabs } from '@mantine/core';
import type { Ref } from 'react';
import { CodePanel, LANGUAGES, type Language } from './code/code-panel.tsx';
import { JsonEditor } from './editor/json-editor.tsx';
import { shortened } from './model/offer.ts';
import classes from './playground.module.css';
import type { Draft } from './use-draft.ts';

export type SourceTab = 'JSON' | Language;

interface SourcePanelProps {
  readonly draft: Draft;
  readonly marks: ReadonlyMap<number, string>;
  readonly tab: SourceTab;
  readonly onTab: (tab: SourceTab) => void;
  readonly editorRef: Ref<HTMLTextAreaElement>;
}

/** The same request as JSON to edit, and as code to take along. */
export function SourcePanel({ draft, marks, tab, onTab, editorRef }: SourcePanelProps) {
  const request = shortened(draft.request);
  return (
    <Tabs value={tab} onChange={(next) => onTab(next as SourceTab)} className={classes.source}>
      <Tabs.List aria-label="The request as text" className={classes.sourceTabs}>
        <Tabs.Tab value="JSON">JSON</Tabs.Tab>
        {LANGUAGES.map((language) => (
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
      {LANGUAGES.map((language) => (
        <Tabs.Panel key={language} value={language}>
          {tab === language && <CodePanel language={language} request={request} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
