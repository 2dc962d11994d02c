import { Tabs } from '@mantine/core';
import { valueAt } from '../model/json.ts';
import { fieldsOf, GROUPS, type Group, groupOf, type Offer } from '../model/offer.ts';
import { BodyField } from './body-field.tsx';
import { FieldGrid } from './field-grid.tsx';
import classes from './form.module.css';
import { type PlacedProblem, useRequestForm } from './form-context.ts';
import { ScraperField } from './scraper-field.tsx';

const WORDS: Readonly<Record<Group, string>> = {
  request: 'Request',
  scraper: 'Scraper',
  wait: 'Wait & actions',
  output: 'Output',
  proxy: 'Proxy',
  router: 'Router',
};

interface RequestGroupsProps {
  readonly group: Group;
  readonly onGroup: (group: Group) => void;
}

/** Every member of a request that this build offers, in groups. */
export function RequestGroups({ group, onGroup }: RequestGroupsProps) {
  const { offer, request, problems } = useRequestForm();
  const fields = fieldsOf(offer);
  return (
    <Tabs value={group} onChange={(next) => onGroup(next as Group)}>
      <Tabs.List aria-label="Parts of the request" className={classes.tabs}>
        {GROUPS.map((one) => {
          const inGroup = fields.filter(({ pointer }) => groupOf(pointer) === one);
          const own = one === 'request' ? ['data'] : one === 'scraper' ? ['scraper'] : [];
          const paths = [...inGroup.map(({ path }) => path), ...own.map((name) => [name])];
          const count = paths.filter((path) => valueAt(request, path) !== undefined).length;
          return (
            <Tabs.Tab key={one} value={one}>
              {WORDS[one]}
              <Count count={count} wrong={isWrong(one, problems)} />
            </Tabs.Tab>
          );
        })}
      </Tabs.List>
      {GROUPS.map((one) => {
        const inGroup = fields.filter(({ pointer }) => groupOf(pointer) === one);
        return (
          <Tabs.Panel key={one} value={one} className={classes.tabPanel}>
            <div className={classes.group}>
              {one === 'scraper' && <ScraperField />}
              {one === 'request' && <Large fields={inGroup} />}
              {one === 'request' && <BodyField />}
              <FieldGrid
                fields={one === 'request' ? inGroup.filter(({ kind }) => kind !== 'map') : inGroup}
              />
              {inGroup.length === 0 && one !== 'scraper' && <p className={classes.none}>{absence(offer)}</p>}
            </div>
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}

/** Headers, query and cookies come before all else. */
function Large({ fields }: { readonly fields: Parameters<typeof FieldGrid>[0]['fields'] }) {
  return <FieldGrid fields={fields.filter(({ kind }) => kind === 'map')} />;
}

function Count({ count, wrong }: { readonly count: number; readonly wrong: boolean }) {
  if (count === 0 && !wrong) return null;
  return (
    <span
      className={classes.count}
      data-wrong={wrong || undefined}
      title={wrong ? 'Needs correction' : `${count} set`}
    >
      {wrong ? '!' : count}
    </span>
  );
}

const isWrong = (group: Group, problems: readonly PlacedProblem[]): boolean =>
  problems.some(
    ({ pointer }) =>
      pointer !== '/url' && pointer !== '/method' && pointer !== '' && groupOf(pointer) === group,
  );

/** Why a group has nothing: only what needs a browser comes and goes. */
function absence({ scraper, scrapers }: Offer): string {
  const browser = scrapers.find(({ name, capabilities }) => name !== 'auto' && capabilities.javascript);
  if (browser?.available === true && scraper !== undefined) {
    return `Waits and page actions need a browser; ${scraper.name} is not one. Choose another scraper.`;
  }
  const reason = browser?.reason;
  return `Waits and page actions need a browser, and none is available${reason ? `: ${reason}` : ''}.`;
}
