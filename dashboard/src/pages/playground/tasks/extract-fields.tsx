import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { use, useState } from 'react';
import { type TemplateRules, templatesQuery, useSaveTemplate } from '../../../api/templates.ts';
import {
  type ExtractRules,
  freeName,
  type PickedRule,
  pickedRule,
  RulesContext,
  type RulesTarget,
  ruleOf,
  withoutRule,
} from '../../../result/picker/extract-rules.ts';
import { FoundValue } from '../../../result/picker/field-list.tsx';
import { useFound } from '../../../result/picker/use-found.ts';
import { IconPlus, IconSearch, IconTrash } from '../../../ui/icons.tsx';
import { VERBATIM } from '../../../ui/input-props.ts';
import { notifySuccess } from '../../../ui/notice.tsx';
import { ErrorNotice } from '../../../ui/page-state.tsx';
import classes from './tasks.module.css';

interface ExtractFieldsProps {
  /** Id of the last stored result whose page is HTML; null: there is none. */
  readonly pageId: string | null;
  readonly onPick: () => void;
}

/** The rules of `extract`, with what each finds on the page of the last result. */
export function ExtractFields({ pageId, onPick }: ExtractFieldsProps) {
  const target = use(RulesContext)!;
  const { rules } = target;
  const names = Object.keys(rules);
  // A rule without a selector is invalid, and no rule would be tried.
  const complete = Object.fromEntries(
    Object.entries(rules).filter(([, rule]) => pickedRule(rule)?.selector !== ''),
  );
  const found = useFound(pageId, useSameRules(complete));
  return (
    <>
      {names.length > 0 && (
        <ol className={classes.rules} aria-label={t`Fields`} data-pointer="/scraper_options/extract">
          {names.map((name, index) => (
            <RuleRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a rule that is renamed stays the same entry
              key={index}
              name={name}
              target={target}
              refusal={found.refusal(name)}
              value={found.value(name)}
              isTried={pageId !== null && Object.hasOwn(complete, name)}
            />
          ))}
        </ol>
      )}
      <ErrorNotice
        error={found.isRefused ? null : found.error}
        title={t`The fields could not be tried on the page`}
      />
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => target.setRules({ ...rules, [freeName('field', rules)]: '' })}
        >
          <Trans>Add a field</Trans>
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconSearch size={14} />}
          disabled={pageId === null}
          onClick={onPick}
        >
          <Trans>Pick on the page</Trans>
        </Button>
      </div>
      {pageId === null && (
        <p className="dimmed">
          <Trans>Run the request once to pick elements on the page, and to see what each field finds.</Trans>
        </p>
      )}
      <SavedRules target={target} />
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

interface RuleRowProps {
  readonly name: string;
  readonly target: RulesTarget;
  readonly refusal: string | null;
  readonly value: unknown;
  readonly isTried: boolean;
}

function RuleRow({ name, target: { rules, setRules }, refusal, value, isTried }: RuleRowProps) {
  const [typed, setTyped] = useState(name);
  const [known, setKnown] = useState(name);
  if (known !== name) {
    // It was changed elsewhere, such as in the JSON.
    setKnown(name);
    setTyped(name);
  }
  const isTaken = typed !== name && Object.hasOwn(rules, typed);
  const rule =
    pickedRule(rules[name]) ?? (rules[name] === '' ? { selector: '', list: false, output: 'text' } : null);
  const rename = (next: string) => {
    setTyped(next);
    if (next === '' || Object.hasOwn(rules, next)) return;
    setKnown(next);
    const entries = Object.entries(rules).map(
      ([other, value]) => [other === name ? next : other, value] as const,
    );
    setRules(Object.fromEntries(entries));
  };
  const change = (changed: Partial<PickedRule>) => {
    const next = { ...rule!, ...changed };
    setRules({
      ...rules,
      [name]: next.selector === '' && !next.list && next.output === 'text' ? '' : ruleOf(next),
    });
  };
  return (
    <li className={classes.rule}>
      <div className={classes.row}>
        <TextInput
          size="xs"
          label={t`Name`}
          value={typed}
          onChange={({ currentTarget }) => rename(currentTarget.value)}
          error={typed === '' || isTaken}
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
      {typed === '' && (
        <p className={classes.error}>
          <Trans>Enter a name.</Trans>
        </p>
      )}
      {isTaken && (
        <p className={classes.error}>
          <Trans>Another field has this name.</Trans>
        </p>
      )}
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
            onChange={(kind) => change({ list: kind === 'list' })}
          />
          <Select
            size="xs"
            className={classes.output}
            aria-label={t`What to take for ${name}`}
            data={outputsOf(rule.output)}
            value={rule.output}
            onChange={(output) => output !== null && change({ output })}
            allowDeselect={false}
          />
        </Group>
      )}
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

const outputsOf = (chosen: string) => [
  ...Object.entries(OUTPUTS).map(([value, label]) => ({ value, label })),
  ...(Object.hasOwn(OUTPUTS, chosen) ? [] : [{ value: chosen, label: t`Attribute ${chosen.slice(1)}` }]),
];

/** The user's templates: rules are loaded from one, or saved as one. */
function SavedRules({ target: { rules, setRules } }: { readonly target: RulesTarget }) {
  const { data } = useQuery(templatesQuery);
  const save = useSaveTemplate();
  const [name, setName] = useState('');
  const templates = data?.items ?? [];
  const isKnown = templates.some((template) => template.name === name);
  return (
    <>
      <div className={classes.buttons}>
        {templates.length > 0 && (
          <Select
            size="xs"
            label={t`Load saved fields`}
            placeholder={t`Choose a template`}
            data={templates.map((template) => template.name)}
            value={null}
            onChange={(chosen) => {
              const template = templates.find((item) => item.name === chosen);
              if (template === undefined) return;
              setRules(template.rules);
              setName(template.name);
            }}
          />
        )}
        <TextInput
          size="xs"
          label={t`Save these fields as`}
          placeholder="products"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          {...VERBATIM}
          maxLength={64}
        />
        <Button
          variant="default"
          size="xs"
          disabled={name === '' || Object.keys(rules).length === 0}
          loading={save.isPending}
          onClick={() =>
            save.mutate(
              { name, rules: rules as TemplateRules, isNew: !isKnown },
              { onSuccess: () => notifySuccess(t`The fields are saved as the template ${name}.`) },
            )
          }
        >
          {isKnown ? t`Replace` : t`Save`}
        </Button>
      </div>
      <ErrorNotice error={save.error} title={t`The fields could not be saved`} />
    </>
  );
}
