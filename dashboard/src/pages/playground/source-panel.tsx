import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Tabs } from '@mantine/core';
import type { Ref } from 'react';
import { BASE_PATH } from '../../app/page-config.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { TextLink } from '../../ui/text.tsx';
import { LANGUAGE_NAMES, LANGUAGES, type LanguageName, languageLabel } from './code/languages.ts';
import { JsonEditor } from './json-editor.tsx';
import type { JsonObject } from './model/json.ts';
import { collapseShorthands } from './model/request-fields.ts';
import classes from './playground.module.css';
import type { Draft } from './use-draft.ts';

interface CodePanelProps {
  readonly language: LanguageName;
  readonly request: JsonObject;
}

/** The request as code. */
function CodePanel({ language, request }: CodePanelProps) {
  const { write, needs, reason } = LANGUAGES[language];
  const { code, missing } = write(`${location.origin}${BASE_PATH}`, request);
  return (
    <div className={classes.panel}>
      <p className={classes.hint}>
        <Trans>
          Set <code className="mono">SLUICE_KEY</code> in the environment to one of{' '}
          <TextLink to="/keys">your keys</TextLink>. {needs}
        </Trans>
      </p>
      {missing.length > 0 && (
        <p className={classes.missing} role="note">
          <Trans>
            Not in this code: {missing.join(', ')}. {reason}
          </Trans>
        </p>
      )}
      {code !== null && <CodeBlock code={code} label={languageLabel(language)} />}
    </div>
  );
}

export type SourceTab = 'JSON' | LanguageName;

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
      <Tabs.List aria-label={t`The request as text`} className={classes.sourceTabs}>
        <Tabs.Tab value="JSON">JSON</Tabs.Tab>
        {LANGUAGE_NAMES.map((language) => (
          <Tabs.Tab key={language} value={language}>
            {languageLabel(language)}
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
      {LANGUAGE_NAMES.map((language) => (
        <Tabs.Panel key={language} value={language}>
          {tab === language && <CodePanel language={language} request={request} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
