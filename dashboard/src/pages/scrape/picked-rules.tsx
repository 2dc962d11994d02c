import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { ExtractRules } from '../../result/picker/extract-rules.ts';
import { RulesContext } from '../../result/picker/rules-context.ts';
import { usePicker } from '../../result/picker/use-picker.ts';
import { isObject, type SentRequest } from '../../result/scrape.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { sharedFragment } from '../playground/model/share-link.ts';
import classes from './scrape.module.css';

interface PickedRulesProps {
  readonly request: SentRequest;
  readonly url: string | undefined;
  readonly children: ReactNode;
}

/** Fields that are picked in a record. A record never changes, so they are taken along to the playground. */
export function PickedRules({ request, url, children }: PickedRulesProps) {
  const options = isObject(request?.scraper_options) ? request.scraper_options : {};
  const [rules, setRules] = useState<ExtractRules>(isObject(options.extract) ? options.extract : {});
  const navigate = useNavigate();
  const picker = usePicker();
  const target = useMemo(() => {
    const open = () => {
      const withRules = { ...(request ?? { url }), scraper_options: { ...options, extract: rules } };
      const hash = sharedFragment(JSON.stringify(withRules, null, 2));
      void navigate({ to: '/playground', hash });
    };
    const note = (
      <>
        <Trans>
          The record stays as it is. Take the fields along to the playground.
          <span className={classes.take}>
            <Button size="xs" variant="default" disabled={Object.keys(rules).length === 0} onClick={open}>
              Open in the playground
            </Button>
            <CopyButton value={JSON.stringify(rules, null, 2)} label={t`Copy the rules`} />
          </span>
        </Trans>
      </>
    );
    return { rules, setRules, disabled: false, note, picker };
  }, [rules, request, url, options, navigate, picker]);
  return <RulesContext value={target}>{children}</RulesContext>;
}
