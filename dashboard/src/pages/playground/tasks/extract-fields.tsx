import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { use, useState } from 'react';
import { type TemplateRules, templatesQuery, useSaveTemplate } from '../../../api/templates.ts';
import { AddRuleButton, TriedRuleRows } from '../../../result/picker/rule-rows.tsx';
import { RulesContext, type RulesTarget } from '../../../result/picker/rules-context.ts';
import { IconSearch } from '../../../ui/icons.tsx';
import { VERBATIM } from '../../../ui/input-props.ts';
import { notifySuccess } from '../../../ui/notice.tsx';
import { ErrorNotice } from '../../../ui/page-state.tsx';
import classes from './tasks.module.css';

interface ExtractFieldsProps {
  /** Id of the last stored result whose page is HTML; null: there is none. */
  readonly pageId: string | null;
  readonly onPick: () => void;
}

/** The rules of `extract`, with what each finds on the page of the last result. */
export function ExtractFields({ pageId, onPick }: ExtractFieldsProps) {
  const target = use(RulesContext)!;
  const { rules } = target;
  return (
    <>
      <div data-pointer="/scraper_options/extract">
        <TriedRuleRows target={target} pageId={pageId} />
      </div>
      <div className={classes.buttons}>
        <AddRuleButton rules={rules} setRules={target.setRules} picker={target.picker} />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconSearch size={14} />}
          disabled={pageId === null}
          onClick={onPick}
        >
          <Trans>Pick on the page</Trans>
        </Button>
      </div>
      {pageId === null && (
        <p className="dimmed">
          <Trans>Run the request once to pick elements on the page, and to see what each field finds.</Trans>
        </p>
      )}
      <SavedRules target={target} />
    </>
  );
}

/** The user's templates: rules are loaded from one, or saved as one. */
function SavedRules({ target: { rules, setRules } }: { readonly target: RulesTarget }) {
  const { data } = useQuery(templatesQuery);
  const save = useSaveTemplate();
  const [name, setName] = useState('');
  const templates = data?.items ?? [];
  const isKnown = templates.some((template) => template.name === name);
  return (
    <>
      <div className={classes.buttons}>
        {templates.length > 0 && (
          <Select
            size="xs"
            label={t`Load saved fields`}
            placeholder={t`Choose a template`}
            data={templates.map((template) => template.name)}
            value={null}
            onChange={(chosen) => {
              const template = templates.find((item) => item.name === chosen);
              if (template === undefined) return;
              setRules(template.rules);
              setName(template.name);
            }}
          />
        )}
        <TextInput
          size="xs"
          label={t`Save these fields as`}
          placeholder="products"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          {...VERBATIM}
          maxLength={64}
        />
        <Button
          variant="default"
          size="xs"
          disabled={name === '' || Object.keys(rules).length === 0}
          loading={save.isPending}
          onClick={() =>
            save.mutate(
              { name, rules: rules as TemplateRules, isNew: !isKnown },
              { onSuccess: () => notifySuccess(t`The fields are saved as the template ${name}.`) },
            )
          }
        >
          {isKnown ? t`Replace` : t`Save`}
        </Button>
      </div>
      <ErrorNotice error={save.error} title={t`The fields could not be saved`} />
    </>
  );
}
