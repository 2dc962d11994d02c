import { t } from '@lingui/core/macro';
import { Select, Tabs } from '@mantine/core';
import { valueAt } from '../model/json.ts';
import {
  type Field,
  fieldsOf,
  GROUPS,
  type Group,
  groupOf,
  type RequestSupport,
} from '../model/request-fields.ts';
import { BodyField } from './body-field.tsx';
import { OptionWithReason } from './field-label.tsx';
import classes from './form.module.css';
import { type FieldProblem, useField, useRequestForm } from './form-context.ts';
import { FieldGrid } from './schema-field.tsx';

const GROUP_LABELS: Readonly<Record<Group, string>> = {
  request: t`Request`,
  scraper: t`Scraper`,
  wait: t`Wait & actions`,
  output: t`Output`,
  proxy: t`Proxy`,
  router: t`Router`,
};

interface RequestGroupsProps {
  readonly group: Group;
  readonly onGroup: (group: Group) => void;
}

/** All members of a request that this build supports, in groups. */
export function RequestGroups({ group, onGroup }: RequestGroupsProps) {
  const { support, request, problems } = useRequestForm();
  const fields = fieldsOf(support);
  return (
    <Tabs value={group} onChange={(next) => onGroup(next as Group)}>
      <Tabs.List aria-label={t`Parts of the request`} className={classes.tabs}>
        {GROUPS.map((name) => {
          const inGroup = fields.filter(({ pointer }) => groupOf(pointer) === name);
          // Members with controls of their own, which `fieldsOf` leaves out.
          const others = name === 'request' ? ['data'] : name === 'scraper' ? ['scraper'] : [];
          const paths = [...inGroup.map(({ path }) => path), ...others.map((member) => [member])];
          const count = paths.filter((path) => valueAt(request, path) !== undefined).length;
          return (
            <Tabs.Tab key={name} value={name}>
              {GROUP_LABELS[name]}
              <Count count={count} hasError={hasProblem(name, problems)} />
            </Tabs.Tab>
          );
        })}
      </Tabs.List>
      {GROUPS.map((name) => {
        const inGroup = fields.filter(({ pointer }) => groupOf(pointer) === name);
        return (
          <Tabs.Panel key={name} value={name} className={classes.tabPanel}>
            <div className={classes.group}>
              {name === 'scraper' && <ScraperField />}
              {name === 'request' && <MapFields fields={inGroup} />}
              {name === 'request' && <BodyField />}
              <FieldGrid
                fields={name === 'request' ? inGroup.filter(({ kind }) => kind !== 'map') : inGroup}
              />
              {inGroup.length === 0 && name !== 'scraper' && (
                <p className={classes.emptyGroup}>{emptyGroupText(support)}</p>
              )}
            </div>
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}

/** Headers, query and cookies, which come first. */
function MapFields({ fields }: { readonly fields: readonly Field[] }) {
  return <FieldGrid fields={fields.filter(({ kind }) => kind === 'map')} />;
}

function Count({ count, hasError }: { readonly count: number; readonly hasError: boolean }) {
  if (count === 0 && !hasError) return null;
  return (
    <span
      className={classes.count}
      data-error={hasError || undefined}
      title={hasError ? t`Needs correction` : t`${count} set`}
    >
      {hasError ? '!' : count}
    </span>
  );
}

/** URL and method are above the groups, and show their problems themselves. */
const hasProblem = (group: Group, problems: readonly FieldProblem[]): boolean =>
  problems.some(
    ({ pointer }) =>
      pointer !== '/url' && pointer !== '/method' && pointer !== '' && groupOf(pointer) === group,
  );

/** Why a group is empty: only fields that need a browser can be missing. */
function emptyGroupText({ scraper, scrapers }: RequestSupport): string {
  const browser = scrapers.find(({ name, capabilities }) => name !== 'auto' && capabilities.javascript);
  if (browser?.available === true && scraper !== undefined) {
    return t`Waits and page actions need a browser; ${scraper.name} is not one. Choose another scraper.`;
  }
  const reason = browser?.reason;
  return reason
    ? t`Waits and page actions need a browser, and none is available: ${reason}.`
    : t`Waits and page actions need a browser, and none is available.`;
}

/** All scrapers. Those that are not available here are disabled and shown with the reason. */
function ScraperField() {
  const { support } = useRequestForm();
  const { value, pointer, error, set } = useField(['scraper']);
  const reasons = new Map(support.scrapers.map(({ name, reason }) => [name, reason]));
  const shown = typeof value === 'string' ? value : 'auto';
  return (
    <Select
      label={t`Scraper`}
      description={t`auto picks the cheapest scraper likely to work, and falls back to others if it fails.`}
      data={[
        ...(reasons.has(shown) ? [] : [{ value: shown, label: shown, disabled: true }]),
        ...support.scrapers.map(({ name, available }) => ({
          value: name,
          label: name,
          // Selecting `auto` explains why it has no scraper to choose from.
          disabled: !available && name !== 'auto',
        })),
      ]}
      classNames={{ option: classes.choice }}
      renderOption={({ option }) => (
        <OptionWithReason label={option.label} reason={reasons.get(option.value)} />
      )}
      value={shown}
      onChange={(next) => set(next === 'auto' || next === null ? undefined : next)}
      error={error}
      data-pointer={pointer}
      maw={420}
    />
  );
}
