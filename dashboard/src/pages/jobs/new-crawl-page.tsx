import { t } from '@lingui/core/macro';
import { NativeSelect, NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type NewCrawl, useCreateBatch, useCreateCrawl } from '../../api/jobs.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { IconPlay } from '../../ui/icons.tsx';
import { LoadFileButton } from '../../ui/load-file-button.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { JOB_NOTIFY, NotifyFields, type NotifyValues, newNotifyOf } from '../channels/notify-fields.tsx';
import { extractProblem, linesOf, readStartUrls, requestMembers } from './batch-input.ts';
import { useCarriedRequest } from './carried-request.ts';
import { EXCLUDE, INCLUDE, PATTERNS, SCOPES, SITEMAPS } from './crawl-fields.ts';
import { CrawlPreview } from './crawl-preview.tsx';
import { NewPage } from './new-page.tsx';
import { RequestSettings, type RequestSettingsValues } from './request-settings.tsx';

/** The members of the API that have a field of the same name. */
const FIELDS = [
  'urls',
  'limit',
  'max_depth',
  'scope',
  'sitemap',
  'include',
  'exclude',
  'delay_ms',
  'max_cost',
  'name',
  'channels',
  'notify_on',
];

interface CrawlValues extends RequestSettingsValues, NotifyValues {
  /** One per line. */
  readonly urls: string;
  readonly name: string;
  readonly limit: number | '';
  readonly max_depth: number | '';
  readonly scope: string;
  readonly sitemap: string;
  readonly include: string;
  readonly exclude: string;
  readonly delay_ms: number | '';
  readonly max_cost: number | '';
}

interface CrawlToStart extends NewCrawl {
  readonly urls: readonly string[];
  readonly request: Readonly<Record<string, unknown>>;
  readonly name?: string;
}

/** Fields that are empty are left out, so that the defaults of the service hold. */
function crawlOf(values: CrawlValues): CrawlToStart {
  const { name, limit, max_depth, scope, sitemap, include, exclude, delay_ms, max_cost } = values;
  return {
    urls: readStartUrls(values.urls).urls,
    scope,
    sitemap,
    request: requestMembers(values)!,
    ...newNotifyOf(values),
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(limit === '' ? {} : { limit }),
    ...(max_depth === '' ? {} : { max_depth }),
    ...(delay_ms === '' ? {} : { delay_ms }),
    ...(max_cost === '' ? {} : { max_cost }),
    ...(linesOf(include).length === 0 ? {} : { include: linesOf(include) }),
    ...(linesOf(exclude).length === 0 ? {} : { exclude: linesOf(exclude) }),
  };
}

/** Starts a crawl of a site. */
export function NewCrawlPage() {
  const navigate = useNavigate();
  const batch = useCreateBatch();
  const open = (id: string, message: string) => {
    notifySuccess(message);
    void navigate({ to: '/jobs/$id', params: { id } });
  };
  const carried = useCarriedRequest();
  const form = useForm<CrawlValues>({
    initialValues: {
      ...carried.settings,
      ...JOB_NOTIFY,
      // A crawl without formats would only keep the HTML.
      ...(Object.keys(carried.options).length === 0 ? { formats: ['markdown'], main: true } : {}),
      urls: carried.url,
      name: '',
      limit: 1_000,
      max_depth: 10,
      scope: 'host',
      sitemap: 'include',
      include: '',
      exclude: '',
      delay_ms: 0,
      max_cost: '',
    },
    validate: {
      urls: (text) => readStartUrls(text).problem,
      extract: extractProblem,
      more: (_, values) => (requestMembers(values) === null ? t`Enter a JSON object.` : null),
    },
  });
  return (
    <NewPage
      title={t`New crawl`}
      description={t`Follows the links and sitemaps of a site. robots.txt is respected.`}
      list={{ to: '/jobs', label: t`Jobs` }}
      form={form}
      action={useCreateCrawl()}
      bodyOf={crawlOf}
      members={FIELDS}
      onSuccess={({ id }) => open(id, t`The crawl is started.`)}
      submitLabel={t`Start the crawl`}
      submitIcon={<IconPlay size={16} />}
    >
      <SiteFields form={form} />
      <LimitFields form={form} />
      <Panel title={t`Each page`} description={t`How the pages are fetched, and what is read from them.`}>
        <RequestSettings form={form} />
      </Panel>
      <Panel title={t`Notifications`} description={t`Who is told of what.`}>
        <NotifyFields source="job" inputProps={(field) => form.getInputProps(field)} />
      </Panel>
      <CrawlPreview
        crawlOf={() => (form.validate().hasErrors ? null : crawlOf(form.getValues()))}
        isStarting={batch.isPending}
        onChoose={(urls) => {
          const values = form.getValues();
          const { name, request, max_cost } = crawlOf(values);
          const requests = urls.map((url) => ({ url }));
          batch.mutate(
            {
              ...newNotifyOf(values),
              ...(name === undefined ? {} : { name }),
              ...(max_cost === undefined ? {} : { max_cost }),
              requests,
              defaults: request,
              invalid: 'refuse',
            },
            { onSuccess: ({ id }) => open(id, t`The pages are scraped.`), onError: notifyError },
          );
        }}
      />
    </NewPage>
  );
}

interface FieldsProps {
  readonly form: UseFormReturnType<CrawlValues>;
}

function SiteFields({ form }: FieldsProps) {
  return (
    <Panel title={t`Site`}>
      <Stack>
        <Textarea
          label={t`Start URLs`}
          placeholder="https://example.com/docs/"
          description={t`Usually one. Put more on separate lines.`}
          {...PATTERNS}
          minRows={1}
          autoComplete="off"
          {...form.getInputProps('urls')}
        />
        <div>
          <LoadFileButton onLoad={(text) => form.setFieldValue('urls', text)} />
        </div>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect label={t`Which pages`} data={SCOPES} {...form.getInputProps('scope')} />
          <NativeSelect label={t`Found by`} data={SITEMAPS} {...form.getInputProps('sitemap')} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Textarea {...INCLUDE} {...form.getInputProps('include')} />
          <Textarea {...EXCLUDE} {...form.getInputProps('exclude')} />
        </SimpleGrid>
      </Stack>
    </Panel>
  );
}

function LimitFields({ form }: FieldsProps) {
  const { data: scrapers } = useQuery(scrapersQuery);
  const unit = scrapers?.cost_unit ?? 'effort';
  return (
    <Panel title={t`Limits`}>
      <SimpleGrid cols={{ base: 1, sm: unit === 'effort' ? 4 : 5 }}>
        <NumberInput label={t`Pages`} min={1} allowDecimal={false} {...form.getInputProps('limit')} />
        <NumberInput
          label={t`Depth`}
          description={t`Links from the start.`}
          min={0}
          allowDecimal={false}
          {...form.getInputProps('max_depth')}
        />
        <NumberInput
          label={t`Delay (ms)`}
          description={t`Between requests to a host.`}
          min={0}
          allowDecimal={false}
          {...form.getInputProps('delay_ms')}
        />
        {/* The service takes a limit only if it has prices. */}
        {unit !== 'effort' && (
          <NumberInput
            label={t`Cost limit (${unit})`}
            description={t`Then the rest is skipped.`}
            min={0}
            {...form.getInputProps('max_cost')}
          />
        )}
        <TextInput
          label={t`Name`}
          placeholder={t`Optional`}
          maxLength={200}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
      </SimpleGrid>
    </Panel>
  );
}
