import { Button } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatCount } from '../ui/format.ts';
import classes from './json-tree.module.css';

interface JsonTreeProps {
  readonly value: unknown;
  /** What it is, for the label of its group and of its button: `the result of step 2`. */
  readonly label: string;
}

/** Beyond it, only the outermost members are open at first. */
const SMALL = 2_000;

/** A value of JSON to be opened member by member. It comes from strangers: text nodes only. */
export function JsonTree({ value, label }: JsonTreeProps) {
  const text = textOf(value);
  return (
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.tree} tabIndex={0} aria-label={label}>
        <JsonNode name={null} value={value} open={text !== null && text.length <= SMALL ? 4 : 1} />
      </section>
      {text !== null && (
        <div className={classes.copy}>
          <CopyButton value={text} label={`Copy ${label}`} />
        </div>
      )}
    </div>
  );
}

/** null: nested so deeply that no text can be made of it. */
function textOf(value: unknown): string | null {
  try {
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  } catch {
    return null;
  }
}

interface JsonNodeProps {
  /** Within an object or array; null: the whole. */
  readonly name: string | number | null;
  readonly value: unknown;
  /** How many levels from here on are open at first. */
  readonly open: number;
}

/** So many members of one value are shown at once, and as many more at each press. */
const AT_ONCE = 100;
/** A text is shown up to here, until somebody wants all of it. */
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
  const [most, setMost] = useState(AT_ONCE);
  const list = Array.isArray(value);
  const members = Object.entries(value);
  const shown = open ? members.slice(0, most) : [];
  const [begin, end] = list ? '[]' : '{}';
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
  const what = list ? 'entry' : 'member';
  const many = list ? 'entries' : 'members';
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <MemberName name={name} />
        <span className={classes.mark}>
          {begin}
          {formatCount(members.length)} {members.length === 1 ? what : many}
          {end}
        </span>
      </summary>
      <ul>
        {shown.map(([key, member]) => (
          <li key={key}>
            <JsonNode name={list ? Number(key) : key} value={member} open={levels - 1} />
          </li>
        ))}
      </ul>
      {open && members.length > most && (
        <Button variant="subtle" size="compact-xs" onClick={() => setMost(most + AT_ONCE)}>
          Show more of {formatCount(members.length)}
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
  const [whole, setWhole] = useState(false);
  if (typeof value !== 'string') {
    return <span className={classes.word}>{String(value)}</span>;
  }
  const cut = !whole && value.length > TEXT_AT_ONCE;
  return (
    <>
      <span className={classes.text} dir="ltr">
        “{cut ? value.slice(0, TEXT_AT_ONCE) : value}
        {cut ? '…' : '”'}
      </span>
      {cut && (
        <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
          All {formatCount(value.length)} characters
        </Button>
      )}
    </>
  );
}
