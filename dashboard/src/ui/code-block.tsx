import { Tabs } from '@mantine/core';
import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly code: string;
  /** What it is, for the label of the region: `curl`. */
  readonly label: string;
  readonly wrap?: boolean;
}

/** A piece of code to read and copy. */
export function CodeBlock({ code, label, wrap = false }: CodeBlockProps) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.code} data-wrap={wrap || undefined} tabIndex={0} aria-label={label}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
      <div className={classes.copy}>
        <CopyButton value={code} label={`Copy ${label}`} />
      </div>
    </div>
  );
}

export interface CodeTab {
  readonly label: string;
  readonly code: string;
}

/** The same in several languages. */
export function CodeTabs({ tabs, name }: { readonly tabs: readonly CodeTab[]; readonly name: string }) {
  return (
    <Tabs defaultValue={tabs[0]?.label ?? null} className={classes.tabs} keepMounted={false}>
      <Tabs.List aria-label={name}>
        {tabs.map(({ label }) => (
          <Tabs.Tab key={label} value={label}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ label, code }) => (
        <Tabs.Panel key={label} value={label} pt="xs">
          <CodeBlock code={code} label={label} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
