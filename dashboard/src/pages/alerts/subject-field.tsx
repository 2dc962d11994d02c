import { t } from '@lingui/core/macro';
import { Autocomplete, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type AlertKind, subjectsQuery } from '../../api/alerts.ts';
import { useUser } from '../../api/session.ts';
import { sitesQuery } from '../../api/sites.ts';
import { OTHER_HOSTS } from '../../api/stats.ts';
import { ALERT_KINDS } from './alert-kinds.ts';
import { hostname } from './alert-values.ts';

interface SubjectFieldProps {
  readonly kind: AlertKind;
  /** Empty: the rule is not limited. */
  readonly value: string;
  readonly error?: ReactNode;
  readonly onChange: (value: string) => void;
}

/** Limits a rule to one site, key, monitor, pool or vendor. */
export function SubjectField(props: SubjectFieldProps) {
  return props.kind === 'site_success' ? <SiteField {...props} /> : <ChoiceField {...props} />;
}

const TYPING_MS = 300;

/** Any host can be entered; those that were scraped are suggested. */
function SiteField({ kind, ...field }: SubjectFieldProps) {
  const [text] = useDebouncedValue(field.value.trim(), TYPING_MS);
  const { data } = useInfiniteQuery(sitesQuery(text));
  const hosts = data?.pages.flatMap(({ items }) => items.map(({ host }) => host)) ?? [];
  return (
    <Autocomplete
      label={ALERT_KINDS[kind].subject?.label}
      description={ALERT_KINDS[kind].subject?.description}
      placeholder="example.com"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      data={[...new Set(hosts.filter((host) => host !== OTHER_HOSTS).map(hostname))]}
      limit={50}
      {...field}
    />
  );
}

function ChoiceField({ kind, value, ...field }: SubjectFieldProps) {
  const { id } = useUser();
  const { data = [], isPending } = useQuery(subjectsQuery(kind, id));
  // The rule may name a key that has been revoked since.
  const isKnown = value === '' || data.some((choice) => choice.value === value);
  return (
    <Select
      label={ALERT_KINDS[kind].subject?.label}
      description={ALERT_KINDS[kind].subject?.description}
      placeholder={!isPending && data.length === 0 ? t`There are none to choose.` : t`All`}
      searchable
      clearable
      data={isKnown ? data : [...data, { value, label: value }]}
      value={value === '' ? null : value}
      {...field}
      onChange={(next) => field.onChange(next ?? '')}
    />
  );
}
