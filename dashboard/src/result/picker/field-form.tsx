import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { formatCount } from '../../ui/format.ts';
import { VERBATIM } from '../../ui/input-props.ts';
import { attributeNames, nameOf, parentOf } from './dom-access.ts';
import type { ExtractRules, PickedRule } from './extract-rules.ts';
import { FoundValue } from './field-list.tsx';
import classes from './picker.module.css';
import { proposeSelector } from './propose-selector.ts';

/** A rule that is being written. */
export interface FieldDraft {
  readonly name: string;
  /** Name of the rule that it replaces; null: it is a new one. */
  readonly editedName: string | null;
  /** What was picked, or found by the rule. */
  readonly element: Element | null;
  readonly rule: PickedRule;
}

interface FieldFormProps {
  readonly page: Document;
  readonly draft: FieldDraft;
  readonly rules: ExtractRules;
  /** null: the selector is not valid. */
  readonly matches: readonly Element[] | null;
  /** What the rule finds; undefined: not known yet. */
  readonly value: unknown;
  readonly disabled: boolean;
  readonly onChange: (draft: FieldDraft) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** The field that was picked: its name, its selector, and what is taken of the elements. */
export function FieldForm(props: FieldFormProps) {
  const { page, draft, rules, matches, value, disabled, onChange, onSave, onCancel } = props;
  const { name, editedName, element, rule } = draft;
  const change = (changed: Partial<PickedRule>) => onChange({ ...draft, rule: { ...rule, ...changed } });
  const parent = element === null ? null : parentOf(element);
  const isTaken = name !== editedName && Object.hasOwn(rules, name);
  return (
    <form
      className={classes.form}
      aria-label={t`Picked field`}
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <TextInput
        label={t`Name`}
        size="xs"
        value={name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        error={name === '' ? t`Enter a name.` : isTaken && t`Another field has this name.`}
        {...VERBATIM}
        maxLength={100}
      />
      <TextInput
        label={t`Selector`}
        size="xs"
        classNames={{ input: 'mono' }}
        value={rule.selector}
        onChange={({ currentTarget }) => change({ selector: currentTarget.value })}
        description={matches !== null && matchText(matches.length, rule.list)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={matches === null && t`This is not a valid CSS selector.`}
        {...VERBATIM}
        maxLength={2_000}
      />
      <Group gap={8}>
        <SegmentedControl
          size="xs"
          aria-label={t`How many`}
          data={[
            { value: 'item', label: t`One` },
            { value: 'list', label: t`List` },
          ]}
          value={rule.list ? 'list' : 'item'}
          onChange={(kind) => {
            const list = kind === 'list';
            change({ list, ...(element !== null && { selector: proposeSelector(page, element, list) }) });
          }}
        />
        <Button
          variant="default"
          size="xs"
          disabled={parent === null || nameOf(parent) === 'html'}
          onClick={() =>
            parent !== null &&
            onChange({
              ...draft,
              element: parent,
              rule: { ...rule, selector: proposeSelector(page, parent, rule.list), output: 'text' },
            })
          }
        >
          <Trans>Element around it</Trans>
        </Button>
      </Group>
      <NativeSelect
        label={t`Take`}
        size="xs"
        data={outputsOf(element, rule.output)}
        value={rule.output}
        onChange={({ currentTarget }) => change({ output: currentTarget.value })}
      />
      <div className={classes.found} aria-live="polite">
        <b>
          <Trans>Found</Trans>
        </b>
        {matches?.length === 0 ? (
          <span className="dimmed">
            <Trans>Nothing.</Trans>
          </span>
        ) : (
          <FoundValue value={value} />
        )}
      </div>
      <Group gap="xs">
        <Button
          type="submit"
          size="xs"
          disabled={disabled || name === '' || isTaken || matches === null || rule.selector.trim() === ''}
        >
          {editedName === null ? t`Add the field` : t`Change the field`}
        </Button>
        <Button variant="default" size="xs" onClick={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
      </Group>
    </form>
  );
}

function matchText(count: number, list: boolean): string {
  if (count === 0) return t`Finds no element.`;
  if (count === 1) return t`Finds 1 element.`;
  return list
    ? t`Finds ${formatCount(count)} elements.`
    : t`Finds ${formatCount(count)} elements, of which the first is taken.`;
}

function outputsOf(element: Element | null, chosen: string) {
  const attributes =
    element === null ? [] : attributeNames(element).filter((name) => !/^(on|style$)|["'\s@]/.test(name));
  const values = new Set(['text', 'html', ...attributes.map((name) => `@${name}`), chosen]);
  const labels: Readonly<Record<string, string>> = { text: t`Text`, html: 'HTML' };
  return [...values].map((value) => ({ value, label: labels[value] ?? t`Attribute ${value.slice(1)}` }));
}
