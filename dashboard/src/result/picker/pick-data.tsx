import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { use, useMemo, useState } from 'react';
import { ErrorNotice } from '../../ui/page-state.tsx';
import type { AnyScrape } from '../scrape.ts';
import { matchesOf, nameOf } from './dom-access.ts';
import {
  type ExtractRules,
  freeName,
  pickedRule,
  RulesContext,
  ruleOf,
  withoutRule,
} from './extract-rules.ts';
import { type FieldDraft, FieldForm } from './field-form.tsx';
import { FieldList } from './field-list.tsx';
import { PageFrame } from './page-frame.tsx';
import { parsePage } from './parse-page.ts';
import classes from './picker.module.css';
import { proposeName, proposeSelector } from './propose-selector.ts';
import { useFound } from './use-found.ts';

const NO_RULES: ExtractRules = {};

interface PickDataProps {
  readonly scrape: AnyScrape;
  readonly id: string;
  /** The scripts of the page were run. */
  readonly scripting: boolean;
}

/** Elements of the page are picked, and become rules of `extract`. What the rules find is read from the stored page. */
export function PickData({ scrape, id, scripting }: PickDataProps) {
  const target = use(RulesContext);
  const parsed = useMemo(() => parsePage(scrape.content ?? '', scripting), [scrape.content, scripting]);
  const page = parsed.document;
  const [draft, setDraft] = useState<FieldDraft | null>(null);
  const rules = target?.rules ?? NO_RULES;
  const matches = useMemo(() => (draft === null ? [] : matchesOf(page, draft.rule.selector)), [page, draft]);
  const { main } = scrape.scraper_data;
  const mainElements = useMemo(
    () => (main == null ? null : (matchesOf(page, main.selector)?.slice(0, 1) ?? null)),
    [page, main],
  );
  const draftFinds = (matches?.length ?? 0) > 0;
  // Those of the request, and the one being edited.
  const tried = useMemo(() => {
    const isComplete = draft !== null && draft.name !== '' && draftFinds;
    return isComplete ? { ...rules, [draft.name]: ruleOf(draft.rule) } : rules;
  }, [rules, draft, draftFinds]);
  const found = useFound(id, tried);
  if (target === null) return null;
  const pick = (element: Element) => {
    const list = draft?.rule.list ?? false;
    const output = usualOutput(element);
    const name = freeName(proposeName(element, output.startsWith('@') ? output.slice(1) : null), rules);
    setDraft({
      name,
      editedName: null,
      element,
      rule: { selector: proposeSelector(page, element, list), list, output },
    });
  };
  const save = () => {
    if (draft === null) return;
    const others = draft.editedName === null ? rules : withoutRule(rules, draft.editedName);
    target.setRules({ ...others, [draft.name]: ruleOf(draft.rule) });
    setDraft(null);
  };
  const edit = (name: string) => {
    const rule = pickedRule(rules[name]);
    if (rule === null) return;
    const element = matchesOf(page, rule.selector)?.[0] ?? null;
    setDraft({ name, editedName: name, element, rule });
  };
  return (
    <>
      <p className={classes.note}>
        <Trans>
          Point at an element of the page and click it. The page runs no scripts and loads nothing.
        </Trans>{' '}
        {mainElements !== null && <Trans>The first element of its main content is outlined.</Trans>}{' '}
        {mainElements !== null && scrape.screenshot_url !== null && (
          <Trans>The screenshot has no such mark, because the position in it is not known.</Trans>
        )}
      </p>
      <div className={classes.columns}>
        <div className={classes.page}>
          <PageFrame key={id} page={parsed} main={mainElements} matches={matches ?? []} onPick={pick} />
        </div>
        <div className={classes.side}>
          {draft !== null && (
            <FieldForm
              page={page}
              draft={draft}
              rules={rules}
              matches={matches}
              value={found.value(draft.name)}
              disabled={target.disabled}
              onChange={setDraft}
              onSave={save}
              onCancel={() => setDraft(null)}
            />
          )}
          <ErrorNotice error={found.error} title={t`The rules could not be tried`} />
          <FieldList
            rules={rules}
            foundBy={found.value}
            editing={draft?.editedName ?? null}
            disabled={target.disabled}
            onEdit={edit}
            onRemove={(name) => target.setRules(withoutRule(rules, name))}
          />
          <div className={classes.target}>{target.note}</div>
        </div>
      </div>
    </>
  );
}

/** What is usually wanted of an element. */
function usualOutput(element: Element): string {
  return nameOf(element) === 'img' ? '@src' : 'text';
}
