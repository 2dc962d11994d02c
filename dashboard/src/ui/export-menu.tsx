import { Button, type ButtonProps, Menu } from '@mantine/core';
import { IconDownload } from './icons.tsx';

interface ExportMenuProps extends ButtonProps {
  /** Of the button. */
  readonly label: string;
  /** What is exported. */
  readonly note?: string;
  /** Called when the menu is opened: a time in an address may be relative to that moment. */
  readonly files: () => readonly (readonly [label: string, href: string])[];
  readonly position?: 'bottom-start' | 'bottom-end';
  readonly iconSize?: number;
}

/** A button that offers data as files. */
export function ExportMenu(props: ExportMenuProps) {
  const { label, note, files, position = 'bottom-end', iconSize = 16, ...button } = props;
  return (
    <Menu position={position}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={iconSize} />} {...button}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {note !== undefined && <Menu.Label>{note}</Menu.Label>}
        <Files files={files} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** A component of its own, which is rendered only while the menu is open. */
function Files({ files }: Pick<ExportMenuProps, 'files'>) {
  return files().map(([label, href]) => (
    <Menu.Item key={label} component="a" href={href} download>
      {label}
    </Menu.Item>
  ));
}
