import type { Generated, Selectable } from 'kysely';

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

interface AlertRuleTable {
  id: Uint8Array;
  user_id: Uint8Array;
  name: string;
  kind: string;
  /** JSON of AlertConditions. */
  conditions: string;
  for_s: number;
  clear_for_s: number;
  enabled: number;
  silenced_until: Generated<number | null>;
  created_at: number;
  last_n: Generated<number>;
}

export type SelectedAlertRule = Selectable<AlertRuleTable>;

export interface AlertInstanceTable {
  rule_id: Uint8Array;
  subject: string;
  state: string;
  since: number;
  value: number;
  summary: string;
  seen_at: number;
  calm_since: number | null;
  fired_n: number | null;
  notified: number;
}

export interface AlertEventTable {
  id: Uint8Array;
  rule_id: Uint8Array;
  n: number;
  user_id: Uint8Array;
  state: string;
  at: number;
  name: string;
  kind: string;
  subject: string;
  value: number | null;
  threshold: number;
  since: number;
  summary: string;
  silenced: number;
}
