import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon } from '@mantine/core';

import { IconEdit, IconTrash } from '../../ui/icons.tsx';
import { type ExtractRules, pickedRule } from './extract-rules.ts';
import classes from './picker.module.css';

interface FieldListProps {
  readonly rules: ExtractRules;
  /** What a rule finds; undefined: not known yet. */
  readonly foundBy: (name: string) => unknown;
  /** Name of the field that is being changed; null: none. */
  readonly editing: string | null;
  readonly disabled: boolean;
  readonly onEdit: (name: string) => void;
  readonly onRemove: (name: string) => void;
}

/** The fields of the request, with what they find. */
export function FieldList({ rules, foundBy, editing, disabled, onEdit, onRemove }: FieldListProps) {
  const names = Object.keys(rules);
  if (names.length === 0)
    return (
      <p className="dimmed">
        <Trans>No fields yet.</Trans>
      </p>
    );
  return (
    <ul className={classes.fields} aria-label={t`Fields`}>
      {names.map((name) => (
        <li key={name} data-editing={name === editing || undefined}>
          <div className={classes.fieldHead}>
            <b dir="auto">{name}</b>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t`Edit ${name}`}
              disabled={disabled || pickedRule(rules[name]) === null}
              onClick={() => onEdit(name)}
            >
              <IconEdit size={14} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t`Remove ${name}`}
              disabled={disabled}
              onClick={() => onRemove(name)}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </div>
          <code className={classes.rule}>{ruleText(rules[name])}</code>
          <FoundValue value={foundBy(name)} />
        </li>
      ))}
    </ul>
  );
}

const ruleText = (rule: unknown): string => (typeof rule === 'string' ? rule : JSON.stringify(rule));

const VALUES_SHOWN = 5;
const TEXT_SHOWN = 160;

/** What a rule found, in short. It comes from the page, so only text nodes are created. */
export function FoundValue({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span className="dimmed">…</span>;
  if (value === null)
    return (
      <span className="dimmed">
        <Trans>Nothing.</Trans>
      </span>
    );
  if (!Array.isArray(value)) return <span className={classes.value}>{shortText(value)}</span>;
  return (
    <>
      <span className="dimmed">{plural(value.length, { one: '# value', other: '# values' })}</span>
      {value.length > 0 && (
        <ol className={classes.values}>
          {value.slice(0, VALUES_SHOWN).map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no state
            <li key={index}>{shortText(item)}</li>
          ))}
        </ol>
      )}
    </>
  );
}

function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return '(empty)';
  return text.length > TEXT_SHOWN ? `${text.slice(0, TEXT_SHOWN)}…` : text;
}
