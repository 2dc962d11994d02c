import { CopyButton } from '../../ui/copy-button.tsx';
import { JsonNode } from './json-node.tsx';
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
