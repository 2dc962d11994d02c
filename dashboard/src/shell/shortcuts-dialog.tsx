import { t } from '@lingui/core/macro';
import { Modal, Switch } from '@mantine/core';
import type { PageShortcut } from './shortcuts.ts';
import classes from './shortcuts-dialog.module.css';

interface ShortcutsDialogProps {
  readonly pages: readonly PageShortcut[];
  readonly enabled: boolean;
  readonly onEnable: (enabled: boolean) => void;
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Of the search that works everywhere: `Ctrl K`. */
  readonly searchKeys: string;
}

/** The list of shortcuts, and the switch that turns off those of single keys. */
export function ShortcutsDialog(props: ShortcutsDialogProps) {
  const { pages, enabled, onEnable, opened, onClose, searchKeys } = props;
  const shortcuts: readonly (readonly [name: string, ...keys: string[]])[] = [
    [t`Go to a page, host or record`, ...searchKeys.split(' '), '/'],
    [t`Show the keyboard shortcuts`, '?'],
    ...pages.map(({ letter, label }) => [label, 'g', letter] as const),
  ];
  return (
    <Modal opened={opened} onClose={onClose} title={t`Keyboard shortcuts`}>
      <dl className={classes.list}>
        {shortcuts.map(([name, ...keys]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Switch
        label={t`Single-key shortcuts`}
        description={t`Turn them off if keys are pressed by accident. ${searchKeys} always works.`}
        checked={enabled}
        onChange={(event) => onEnable(event.currentTarget.checked)}
      />
    </Modal>
  );
}
