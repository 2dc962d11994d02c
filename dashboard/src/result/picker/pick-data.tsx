import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { use, useEffect, useMemo } from 'react';
import type { AnyScrape } from '../scrape.ts';
import { matchesOf, nameOf } from './dom-access.ts';
import { freeName, type PickedRule, pickedRule, ruleOf } from './extract-rules.ts';
import { PageFrame } from './page-frame.tsx';
import { parsePage } from './parse-page.ts';
import classes from './picker.module.css';
import { proposeName, proposeSelector } from './propose-selector.ts';
import { AddRuleButton, TriedRuleRows } from './rule-rows.tsx';
import { RulesContext } from './rules-context.ts';

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
  const setPage = target?.picker.setPage;
  useEffect(() => {
    setPage?.(page);
    return () => setPage?.(null);
  }, [setPage, page]);
  const current = target?.picker.current ?? null;
  const currentRule = current === null || target === null ? undefined : target.rules[current];
  const selector = pickedRule(currentRule)?.selector ?? '';
  const matches = useMemo(() => (selector === '' ? [] : matchesOf(page, selector)), [page, selector]);
  const { main } = scrape.scraper_data;
  const mainElements = useMemo(
    () => (main == null ? null : (matchesOf(page, main.selector)?.slice(0, 1) ?? null)),
    [page, main],
  );
  if (target === null) return null;
  const { rules, setRules, picker, showRows } = target;
  const step = picker.lastStep(rules);
  const apply = (name: string, rule: PickedRule, text: string) => {
    const after = { ...rules, [name]: ruleOf(rule) };
    setRules(after);
    picker.addStep({ before: rules, after, text });
    picker.select(name);
  };
  const pick = (element: Element) => {
    if (target.disabled) return;
    showRows?.();
    const rule = pickedRule(currentRule);
    const first = matches?.[0];
    if (current !== null && rule !== null && first !== undefined) {
      // It is what the field takes already.
      if (element === first || (rule.list && matches!.includes(element))) return;
      const all = proposeSelector(page, first, true);
      if (!rule.list && [first, element].every((like) => matchesOf(page, all)?.includes(like)))
        return apply(current, { ...rule, selector: all, list: true }, t`“${current}” is a list now.`);
    }
    const output = usualOutput(element);
    const proposed = freeName(proposeName(element, output.startsWith('@') ? output.slice(1) : null), rules);
    // A row that was added and is still empty is filled, so that its name stays.
    const name = current !== null && rules[current] === '' ? current : proposed;
    apply(
      name,
      { selector: proposeSelector(page, element, false), list: false, output },
      t`The field “${name}” was added.`,
    );
  };
  const undo = () => {
    setRules(step!.before);
    picker.removeStep();
  };
  return (
    <div className={classes.picker}>
      <div className={classes.note}>
        <p>
          <Trans>
            Click an element of the page to add it as a field. A click on another one like it makes a list.
          </Trans>{' '}
          {mainElements !== null && <Trans>The first element of the main content is outlined.</Trans>}{' '}
          {mainElements !== null && scrape.screenshot_url !== null && (
            <Trans>The screenshot has no such mark, because the position in it is not known.</Trans>
          )}
        </p>
        <p className={classes.step} aria-live="polite">
          {step === null ? (
            <span className="dimmed">
              <Trans>The page runs no scripts and loads nothing.</Trans>
            </span>
          ) : (
            <>
              {step.text}{' '}
              <Anchor component="button" type="button" size="xs" onClick={undo}>
                <Trans>Undo</Trans>
              </Anchor>
            </>
          )}
        </p>
      </div>
      <div className={showRows === undefined ? classes.columns : classes.alone}>
        {showRows === undefined && (
          <div className={classes.side} data-rows>
            <TriedRuleRows target={target} pageId={id} />
            <AddRuleButton rules={rules} setRules={setRules} picker={picker} />
            <div className={classes.target}>{target.note}</div>
          </div>
        )}
        <div className={classes.page}>
          <PageFrame key={id} page={parsed} main={mainElements} matches={matches ?? []} onPick={pick} />
        </div>
      </div>
      {showRows !== undefined && <p className={classes.note}>{target.note}</p>}
    </div>
  );
}

/** What is usually wanted of an element. */
function usualOutput(element: Element): string {
  return nameOf(element) === 'img' ? '@src' : 'text';
}
