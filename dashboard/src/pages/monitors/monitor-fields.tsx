import { t } from '@lingui/core/macro';
import {
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CODE_AREA, VERBATIM } from '../../ui/input-props.ts';
import { comparesLines, FORMATS, IGNORED_KINDS, type MonitorValues } from './monitor-values.ts';
import { DAYS, RHYTHMS, scheduleOf, scheduleText, timeZones } from './schedule.ts';

interface FieldsProps {
  readonly form: UseFormReturnType<MonitorValues>;
}

/** When the monitor runs, with the schedule in words and as cron. */
export function ScheduleFields({ form }: FieldsProps) {
  const { rhythm } = form.values;
  const schedule = scheduleOf(form.values);
  const isComplete = rhythm !== 'cron' || form.values.cron.trim() !== '';
  return (
    <Stack gap="sm">
      {/* In a drawer they are one below the other. */}
      <SimpleGrid type="container" cols={{ base: 1, '34rem': 3 }}>
        <NativeSelect
          label={t`Runs`}
          data={RHYTHMS.map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('rhythm')}
        />
        {rhythm === 'weekly' && (
          <NativeSelect
            label={t`Day`}
            data={DAYS.map((label, index) => ({ value: String(index), label }))}
            {...form.getInputProps('day')}
          />
        )}
        {(rhythm === 'daily' || rhythm === 'weekdays' || rhythm === 'weekly') && (
          <TextInput type="time" label={t`Time`} {...form.getInputProps('time')} />
        )}
        {rhythm === 'interval' && (
          <NumberInput
            label={t`Minutes between runs`}
            min={1}
            max={525_600}
            allowDecimal={false}
            {...form.getInputProps('minutes')}
          />
        )}
        {rhythm === 'cron' && (
          <TextInput
            label={t`Cron`}
            placeholder="0 8 * * 1-5"
            description={t`Minute, hour, day, month, weekday.`}
            classNames={{ input: 'mono' }}
            {...VERBATIM}
            {...form.getInputProps('cron')}
          />
        )}
        {rhythm !== 'interval' && rhythm !== 'hourly' && (
          <NativeSelect label={t`Time zone`} data={[...timeZones()]} {...form.getInputProps('timezone')} />
        )}
      </SimpleGrid>
      {isComplete && (
        <Text size="sm" c="dimmed" role="status">
          {scheduleText(schedule)}
          {schedule.cron !== undefined && rhythm !== 'cron' && (
            <>
              {' · '}
              <code className="mono">{schedule.cron}</code>
            </>
          )}
        </Text>
      )}
    </Stack>
  );
}

/** What is compared, and what does not count. */
export function CompareFields({ form }: FieldsProps) {
  const { format } = form.values;
  return (
    <Stack>
      <NativeSelect
        label={t`What to compare`}
        data={FORMATS.map(([value, label]) => ({ value, label }))}
        description={FORMATS.find(([value]) => value === format)?.[2]}
        {...form.getInputProps('format')}
      />
      {comparesLines(format) && (
        <>
          <TextInput
            label={t`Only this part`}
            placeholder=".prices"
            description={t`A CSS selector. Empty: the main content.`}
            classNames={{ input: 'mono' }}
            {...VERBATIM}
            {...form.getInputProps('selector')}
          />
          <Checkbox.Group label={t`Ignore`} {...form.getInputProps('kinds')}>
            <Group gap="lg" mt={6}>
              {IGNORED_KINDS.map(([value, label]) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
          <Textarea
            {...CODE_AREA}
            label={t`Ignore also`}
            placeholder={'.advert\n/Visitors: (\\d+)/'}
            description={t`CSS selectors or /regular expressions/, one per line. Of one with a group, only the group is ignored.`}
            minRows={2}
            maxRows={10}
            {...form.getInputProps('rules')}
          />
        </>
      )}
    </Stack>
  );
}
