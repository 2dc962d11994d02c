import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import classes from './picker.module.css';

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
