import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatCount } from '../ui/format.ts';
import classes from './json-tree.module.css';

interface JsonTreeProps {
  readonly value: unknown;
  /** Names the value in the labels of its group and button: `the result of step 2`. */
  readonly label: string;
}

/** Length as JSON, in characters. Of a longer value, only the outermost level is open initially. */
const SMALL_LENGTH = 2_000;
/** Levels that are open initially. */
const OPEN_LEVELS = 4;

/** A JSON value whose members can be expanded. The value is not trusted, so only text nodes are created. */
export function JsonTree({ value, label }: JsonTreeProps) {
  const text = textOf(value);
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section className={classes.tree} tabIndex={0} aria-label={label}>
        <JsonNode
          name={null}
          value={value}
          open={text !== null && text.length <= SMALL_LENGTH ? OPEN_LEVELS : 1}
        />
      </section>
      {text !== null && (
        <div className={classes.copy}>
          <CopyButton value={text} label={t`Copy ${label}`} />
        </div>
      )}
    </div>
  );
}

/** @returns null: nested too deeply to be serialized */
function textOf(value: unknown): string | null {
  try {
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  } catch {
    return null;
  }
}

interface JsonNodeProps {
  /** Name in an object, or index in an array; null: the outermost value. */
  readonly name: string | number | null;
  readonly value: unknown;
  /** How many levels are open initially. */
  readonly open: number;
}

/** Number of members shown initially, and added by each press of the button. */
const MEMBERS_AT_ONCE = 100;
/** Longer texts (in characters) are cut, with a button that shows all. */
const TEXT_AT_ONCE = 400;

function JsonNode({ name, value, open }: JsonNodeProps) {
  if (typeof value === 'object' && value !== null) return <Branch name={name} value={value} open={open} />;
  return (
    <div className={classes.leaf}>
      <MemberName name={name} />
      <LeafValue value={value} />
    </div>
  );
}

function Branch({ name, value, open: levels }: JsonNodeProps & { readonly value: object }) {
  const [open, setOpen] = useState(levels > 0);
  const [limit, setLimit] = useState(MEMBERS_AT_ONCE);
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  const shown = open ? members.slice(0, limit) : [];
  const [begin, end] = isList ? '[]' : '{}';
  if (members.length === 0) {
    return (
      <div className={classes.leaf}>
        <MemberName name={name} />
        <span className={classes.mark}>
          {begin}
          {end}
        </span>
      </div>
    );
  }
  const singular = isList ? 'entry' : 'member';
  const plural = isList ? 'entries' : 'members';
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <MemberName name={name} />
        <span className={classes.mark}>
          {begin}
          {formatCount(members.length)} {members.length === 1 ? singular : plural}
          {end}
        </span>
      </summary>
      <ul>
        {shown.map(([key, member]) => (
          <li key={key}>
            <JsonNode name={isList ? Number(key) : key} value={member} open={levels - 1} />
          </li>
        ))}
      </ul>
      {open && members.length > limit && (
        <Button variant="subtle" size="compact-xs" onClick={() => setLimit(limit + MEMBERS_AT_ONCE)}>
          <Trans>Show more of {formatCount(members.length)}</Trans>
        </Button>
      )}
    </details>
  );
}

function MemberName({ name }: Pick<JsonNodeProps, 'name'>) {
  if (name === null) return null;
  return (
    <>
      <span className={typeof name === 'number' ? classes.mark : classes.name} dir="ltr">
        {name}
      </span>
      <span className={classes.mark}>: </span>
    </>
  );
}

function LeafValue({ value }: { readonly value: unknown }) {
  const [showsAll, setShowsAll] = useState(false);
  if (typeof value !== 'string') {
    return <span className={classes.scalar}>{String(value)}</span>;
  }
  const cut = !showsAll && value.length > TEXT_AT_ONCE;
  return (
    <>
      <span className={classes.text} dir="ltr">
        “{cut ? value.slice(0, TEXT_AT_ONCE) : value}
        {cut ? '…' : '”'}
      </span>
      {cut && (
        <Button variant="subtle" size="compact-xs" onClick={() => setShowsAll(true)}>
          <Trans>All {formatCount(value.length)} characters</Trans>
        </Button>
      )}
    </>
  );
}
