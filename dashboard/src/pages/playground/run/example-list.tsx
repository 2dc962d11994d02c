import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { UnstyledButton } from '@mantine/core';
import { IconPlay } from '../../../ui/icons.tsx';
import { EXAMPLE_NAMES, EXAMPLES, type ExampleName } from '../examples.ts';
import { useRequestForm } from '../form/form-context.ts';
import classes from './run.module.css';

/** Requests that run at once, without a site of one's own. */
export function ExampleList({ onExample }: { readonly onExample: (name: ExampleName) => void }) {
  const { support } = useRequestForm();
  const hasBrowser = support.scrapers.some(
    ({ name, available, capabilities }) => name !== 'auto' && available && capabilities.javascript,
  );
  return (
    <section className={classes.examples} aria-label={t`Examples`}>
      <p className="dimmed">
        <Trans>Or run an example. Its site is a part of this installation, so it works offline.</Trans>
      </p>
      <ul className="plain">
        {EXAMPLE_NAMES.filter((name) => hasBrowser || !EXAMPLES[name].needsBrowser).map((name) => (
          <li key={name}>
            <UnstyledButton className={classes.example} onClick={() => onExample(name)}>
              <IconPlay size={15} />
              <span>
                <b>{EXAMPLES[name].label}</b>
                <small>{EXAMPLES[name].about}</small>
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
