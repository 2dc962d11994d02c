import type { AlertEvent, AlertInstance, AlertRule } from '../../../domain/alerts.ts';
import { columnsFor, type TableOf } from './columns.ts';

export interface AlertTables {
  alert_rules: AlertRuleTable;
  alert_channels: {
    id: Uint8Array;
    rule_id: Uint8Array;
    /** null: it was removed from the rule. */
    position: number | null;
    type: string;
  };
  alert_instances: AlertInstanceTable;
  alert_events: AlertEventTable;
}

const rule = columnsFor<AlertRule>();
/** What the creator of a rule sets. */
export const ALERT_RULE_SETTINGS = {
  id: rule.id('id'),
  user_id: rule.id('userId'),
  name: rule.plain('name'),
  kind: rule.plain('kind'),
  conditions: rule.json('conditions'),
  for_s: rule.plain('forS'),
  clear_for_s: rule.plain('clearForS'),
  enabled: rule.flag('enabled'),
  created_at: rule.plain('createdAt'),
};
export const ALERT_RULE_COLUMNS = {
  ...ALERT_RULE_SETTINGS,
  silenced_until: rule.plain('silencedUntil'),
  last_n: rule.plain('lastN'),
};
export type AlertRuleTable = TableOf<typeof ALERT_RULE_COLUMNS>;

const instance = columnsFor<AlertInstance>();
export const ALERT_INSTANCE_COLUMNS = {
  subject: instance.plain('subject'),
  state: instance.plain('state'),
  since: instance.plain('since'),
  value: instance.plain('value'),
  summary: instance.plain('summary'),
  seen_at: instance.plain('seenAt'),
  calm_since: instance.plain('calmSince'),
  fired_n: instance.plain('firedN'),
  notified: instance.flag('isNotified'),
};
export type AlertInstanceTable = TableOf<typeof ALERT_INSTANCE_COLUMNS> & { rule_id: Uint8Array };

const event = columnsFor<AlertEvent>();
export const ALERT_EVENT_COLUMNS = {
  id: event.id('id'),
  rule_id: event.id('ruleId'),
  n: event.plain('n'),
  user_id: event.id('userId'),
  state: event.plain('state'),
  at: event.plain('at'),
  name: event.plain('name'),
  kind: event.plain('kind'),
  subject: event.plain('subject'),
  value: event.plain('value'),
  threshold: event.plain('threshold'),
  since: event.plain('since'),
  summary: event.plain('summary'),
  silenced: event.flag('isSilenced'),
};
export type AlertEventTable = TableOf<typeof ALERT_EVENT_COLUMNS>;
