import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useCanChange } from '../../api/session.ts';
import type { Usage } from '../../api/usage.ts';
import { LimitMeter } from '../../ui/figure.tsx';
import { formatCost, formatCount } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import classes from './usage.module.css';

interface BudgetsPanelProps {
  readonly budgets: Usage['budgets'];
  readonly unit: string;
}

/** The daily budgets of keys, and what is used of them. */
export function BudgetsPanel({ budgets, unit }: BudgetsPanelProps) {
  const canChange = useCanChange();
  // Viewers cannot set any.
  if (budgets.length === 0 && !canChange) return null;
  return (
    <Panel title={t`Daily budgets`} description={t`Budgets start again at 00:00 UTC.`}>
      {budgets.length === 0 ? (
        <p className={classes.hint}>
          <Trans>
            No key has a daily budget. You can set one for each of your{' '}
            <TextLink to="/keys">API keys</TextLink>.
          </Trans>
        </p>
      ) : (
        <ul className={classes.budgets}>
          {budgets.map(({ key_id, name, amount, unit: kind, used }) => (
            <li key={key_id}>
              <span className={classes.line}>
                <b>{name}</b>
                <span>
                  {kind === 'cost'
                    ? t`${formatCost(used, '').trim()} of ${formatCost(amount, unit)}`
                    : t`${formatCount(used)} of ${formatCount(amount)} scrapes`}
                </span>
              </span>
              <LimitMeter label={t`Used of the budget of ${name}`} now={used} limit={amount} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
