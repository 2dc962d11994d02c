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
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NativeSelect
          label="Runs"
          data={RHYTHMS.map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('rhythm')}
        />
        {rhythm === 'weekly' && (
          <NativeSelect
            label="Day"
            data={DAYS.map((label, index) => ({ value: String(index), label }))}
            {...form.getInputProps('day')}
          />
        )}
        {(rhythm === 'daily' || rhythm === 'weekdays' || rhythm === 'weekly') && (
          <TextInput type="time" label="Time" {...form.getInputProps('time')} />
        )}
        {rhythm === 'interval' && (
          <NumberInput
            label="Minutes between runs"
            min={1}
            max={525_600}
            allowDecimal={false}
            {...form.getInputProps('minutes')}
          />
        )}
        {rhythm === 'cron' && (
          <TextInput
            label="Cron"
            placeholder="0 8 * * 1-5"
            description="Minute, hour, day, month, weekday."
            classNames={{ input: 'mono' }}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('cron')}
          />
        )}
        {rhythm !== 'interval' && rhythm !== 'hourly' && (
          <NativeSelect label="Time zone" data={[...timeZones()]} {...form.getInputProps('timezone')} />
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
        label="What to compare"
        data={FORMATS.map(([value, label]) => ({ value, label }))}
        description={FORMATS.find(([value]) => value === format)?.[2]}
        {...form.getInputProps('format')}
      />
      {comparesLines(format) && (
        <>
          <TextInput
            label="Only this part"
            placeholder=".prices"
            description="A CSS selector. Empty: the main content."
            classNames={{ input: 'mono' }}
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('selector')}
          />
          <Checkbox.Group label="Ignore" {...form.getInputProps('kinds')}>
            <Group gap="lg" mt={6}>
              {IGNORED_KINDS.map(([value, label]) => (
                <Checkbox key={value} value={value} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
          <Textarea
            label="Ignore also"
            placeholder={'.advert\n/Visitors: (\\d+)/'}
            description="CSS selectors or /regular expressions/, one per line. Of one with a group, only the group is ignored."
            autosize
            minRows={2}
            maxRows={10}
            classNames={{ input: 'mono' }}
            spellCheck={false}
            autoComplete="off"
            {...form.getInputProps('rules')}
          />
        </>
      )}
    </Stack>
  );
}
