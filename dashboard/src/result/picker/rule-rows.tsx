import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../ui/format.ts';
import { IconPlus, IconTrash } from '../../ui/icons.tsx';
import { VERBATIM } from '../../ui/input-props.ts';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { useTypedName } from '../../ui/use-typed-name.ts';
import { attributeNames, matchesOf, nameOf, parentOf } from './dom-access.ts';
import {
  type ExtractRules,
  freeName,
  type PickedRule,
  pickedRule,
  ruleOf,
  withoutRule,
} from './extract-rules.ts';
import { FoundValue } from './found-value.tsx';
import { proposeSelector } from './propose-selector.ts';
import classes from './rule-rows.module.css';
import type { RulesTarget } from './rules-context.ts';
import { useFound } from './use-found.ts';
import type { Picker } from './use-picker.ts';

interface RulesProps {
  readonly rules: ExtractRules;
  readonly setRules: (rules: ExtractRules) => void;
}

interface RuleRowsProps extends RulesProps {
  /** Absent: there is no page to pick from. */
  readonly picker?: Picker;
  /** What the rules find on a page; absent: they are not tried. */
  readonly found?: {
    value(name: string): unknown;
    refusal(name: string): string | null;
    isTried(name: string): boolean;
  };
}

/** The rules of `extract`, each with its name, its selector, and what is taken. Renders nothing without rules. */
export function RuleRows({ rules, setRules, picker, found }: RuleRowsProps) {
  const names = Object.keys(rules);
  if (names.length === 0) return null;
  return (
    <ol className={classes.rules} aria-label={t`Fields`}>
      {names.map((name, index) => (
        <RuleRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule that is renamed stays the same entry
          key={index}
          name={name}
          rules={rules}
          setRules={setRules}
          picker={picker}
          refusal={found?.refusal(name) ?? null}
          value={found?.value(name)}
          isTried={found?.isTried(name) ?? false}
        />
      ))}
    </ol>
  );
}

interface TriedRuleRowsProps {
  readonly target: RulesTarget;
  /** Id of the stored page; null: there is none. */
  readonly pageId: string | null;
}

/** The rules, with what each finds on the page. */
export function TriedRuleRows({ target: { rules, setRules, picker }, pageId }: TriedRuleRowsProps) {
  // A rule without a selector is invalid, and no rule would be tried.
  const complete = Object.fromEntries(
    Object.entries(rules).filter(([, rule]) => pickedRule(rule)?.selector !== ''),
  );
  const found = useFound(pageId, useSameRules(complete));
  return (
    <>
      <RuleRows
        rules={rules}
        setRules={setRules}
        picker={picker}
        found={{ ...found, isTried: (name) => pageId !== null && Object.hasOwn(complete, name) }}
      />
      <ErrorNotice
        error={found.isRefused ? null : found.error}
        title={t`The fields could not be tried on the page`}
      />
    </>
  );
}

/** The same object as long as the rules are equal, so that rendering alone does not count as a change. */
function useSameRules(rules: ExtractRules): ExtractRules {
  const [kept, setKept] = useState(rules);
  if (kept === rules || JSON.stringify(kept) === JSON.stringify(rules)) return kept;
  setKept(rules);
  return rules;
}

/** Adds a rule without a selector, which the next click on the page fills. */
export const AddRuleButton = ({ rules, setRules, picker }: RulesProps & Pick<RuleRowsProps, 'picker'>) => (
  <Button
    variant="default"
    size="xs"
    leftSection={<IconPlus size={14} />}
    onClick={() => {
      const name = freeName('field', rules);
      setRules({ ...rules, [name]: '' });
      picker?.select(name);
    }}
  >
    <Trans>Add a field</Trans>
  </Button>
);

interface RuleRowProps extends RulesProps {
  readonly name: string;
  readonly picker: Picker | undefined;
  readonly refusal: string | null;
  readonly value: unknown;
  readonly isTried: boolean;
}

function RuleRow({ name, rules, setRules, picker, refusal, value, isTried }: RuleRowProps) {
  const isCurrent = picker?.current === name;
  const row = useRef<HTMLLIElement>(null);
  const written = JSON.stringify(rules[name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when a click has changed the rule
  useEffect(() => {
    if (isCurrent) bringIntoView(row.current);
  }, [isCurrent, written]);
  const { typed, problem, type } = useTypedName(
    name,
    (other) => Object.hasOwn(rules, other),
    (next) => {
      if (isCurrent) picker?.select(next);
      setRules(
        Object.fromEntries(
          Object.entries(rules).map(([other, value]) => [other === name ? next : other, value]),
        ),
      );
    },
  );
  const rule =
    pickedRule(rules[name]) ?? (rules[name] === '' ? { selector: '', list: false, output: 'text' } : null);
  const change = (changed: Partial<PickedRule>) => {
    const next = { ...rule!, ...changed };
    setRules({
      ...rules,
      [name]: next.selector === '' && !next.list && next.output === 'text' ? '' : ruleOf(next),
    });
  };
  const page = picker?.page ?? null;
  const matches =
    page === null || rule === null || rule.selector === '' ? null : matchesOf(page, rule.selector);
  const element = matches?.[0] ?? null;
  const around = element === null ? null : parentOf(element);
  /** A selector that was proposed becomes that of all like elements, or of one. */
  const setList = (list: boolean) => {
    const isProposed =
      page !== null && element !== null && proposeSelector(page, element, !list) === rule!.selector;
    change({ list, ...(isProposed && { selector: proposeSelector(page, element, list) }) });
  };
  return (
    <li
      ref={row}
      className={classes.rule}
      data-current={isCurrent || undefined}
      onFocus={() => picker?.select(name)}
    >
      <div className={classes.row}>
        <TextInput
          size="xs"
          label={t`Name`}
          value={typed}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          error={problem !== null}
          {...VERBATIM}
          maxLength={100}
        />
        {rule === null ? (
          <code className={classes.json}>{JSON.stringify(rules[name])}</code>
        ) : (
          <TextInput
            size="xs"
            label={t`Selector`}
            classNames={{ input: 'mono' }}
            placeholder="h1, .price, a.next@href"
            value={rule.selector}
            onChange={({ currentTarget }) => change({ selector: currentTarget.value })}
            error={refusal !== null}
            {...VERBATIM}
            maxLength={2_000}
          />
        )}
        <ActionIcon aria-label={t`Remove ${name}`} onClick={() => setRules(withoutRule(rules, name))} mb={2}>
          <IconTrash size={15} />
        </ActionIcon>
      </div>
      {problem !== null && <p className={classes.error}>{problem}</p>}
      {rule !== null && (
        <Group gap={8}>
          <SegmentedControl
            size="xs"
            aria-label={t`How many values of ${name}`}
            data={[
              { value: 'item', label: t`First match` },
              { value: 'list', label: t`All matches` },
            ]}
            value={rule.list ? 'list' : 'item'}
            onChange={(kind) => setList(kind === 'list')}
          />
          <NativeSelect
            size="xs"
            className={classes.output}
            aria-label={t`What to take for ${name}`}
            data={outputsOf(rule.output, element)}
            value={rule.output}
            onChange={({ currentTarget }) => change({ output: currentTarget.value })}
          />
          {page !== null && around !== null && nameOf(around) !== 'html' && (
            <Button
              variant="default"
              size="xs"
              onClick={() => change({ selector: proposeSelector(page, around, rule.list), output: 'text' })}
            >
              <Trans>Element around it</Trans>
            </Button>
          )}
        </Group>
      )}
      {matches !== null && <p className={classes.matches}>{matchText(matches.length, rule!.list)}</p>}
      {refusal === null ? (
        isTried && (
          <div className={classes.found} aria-live="polite">
            <FoundValue value={value} />
          </div>
        )
      ) : (
        <p className={classes.error} role="alert">
          {refusal}
        </p>
      )}
    </li>
  );
}

const OUTPUTS = { text: t`Text`, html: 'HTML', '@href': t`Link (href)`, '@src': t`Source (src)` };

/** The usual ones, that of the rule, and the attributes of the element. */
function outputsOf(chosen: string, element: Element | null) {
  const attributes =
    element === null ? [] : attributeNames(element).filter((name) => !/^(on|style$)|["'\s@]/.test(name));
  const others = new Set([...attributes.map((name) => `@${name}`), chosen]);
  return [
    ...Object.entries(OUTPUTS).map(([value, label]) => ({ value, label })),
    ...[...others]
      .filter((value) => !Object.hasOwn(OUTPUTS, value))
      .map((value) => ({ value, label: t`Attribute ${value.slice(1)}` })),
  ];
}

function matchText(count: number, list: boolean): string {
  if (count === 0) return t`Finds no element.`;
  if (count === 1) return t`Finds 1 element.`;
  return list
    ? t`Finds ${formatCount(count)} elements.`
    : t`Finds ${formatCount(count)} elements, of which the first is taken.`;
}

/** Scrolls only the column of the rows, so that the page to pick from does not move. */
function bringIntoView(row: HTMLElement | null): void {
  const column = row?.closest<HTMLElement>('[data-rows]');
  if (row == null || column == null || row.contains(document.activeElement)) return;
  const [inner, outer] = [row.getBoundingClientRect(), column.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) column.scrollTop += inner.bottom - outer.bottom + 12;
  else if (inner.top < outer.top) column.scrollTop -= outer.top - inner.top + 12;
}
