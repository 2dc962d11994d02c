import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { type MonitorPreview, usePreviewMonitor } from '../../api/monitors.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { formatBytes } from '../../ui/format.ts';
import { IconAlert, IconSearch } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import { linesOf, requestMembers } from '../jobs/batch-input.ts';
import { compareOf, hasMask, type MonitorValues, watchedOf, wholeUrl } from './monitor-values.ts';
import classes from './monitors.module.css';

/** Fetches the page once, and shows what a run would compare. */
export function PreviewPanel({ values }: { readonly values: MonitorValues }) {
  const preview = usePreviewMonitor();
  const first = values.kind === 'batch' ? (linesOf(values.urls)[0] ?? '') : values.url;
  const isReady =
    first.trim() !== '' &&
    URL.canParse(wholeUrl(first)) &&
    requestMembers(values) !== null &&
    !hasMask(values.more);
  return (
    <Panel
      title={t`Preview`}
      description={
        values.kind === 'request'
          ? t`Fetches the page once, and shows what would be compared.`
          : t`Fetches the first page once, and shows what would be compared.`
      }
    >
      <Stack>
        <div>
          <Button
            variant="default"
            leftSection={<IconSearch size={16} />}
            loading={preview.isPending}
            disabled={!isReady}
            onClick={() => preview.mutate({ ...watchedOf(values), compare: compareOf(values) })}
          >
            <Trans>Preview</Trans>
          </Button>
        </div>
        <ErrorNotice error={preview.error} />
        {preview.data !== undefined && !preview.isPending && <Result preview={preview.data} />}
      </Stack>
    </Panel>
  );
}

function Result({ preview }: { readonly preview: MonitorPreview }) {
  const { text, truncated, bytes, screenshot_url: picture, ignored, reason, scrape_id: id } = preview;
  return (
    <>
      {reason !== null && (
        <Notice tone="amber" icon={IconAlert} title={t`This page could not be compared`}>
          <p>
            <Trans>
              The reason is <code className="mono">{reason}</code>. The record shows what was fetched.
            </Trans>
          </p>
        </Notice>
      )}
      {text !== null && <CodeBlock label={t`what is compared`} code={text} wrap />}
      {truncated && (
        <Text size="sm" c="dimmed">
          <Trans>The text is cut here. A run compares all of it.</Trans>
        </Text>
      )}
      {picture !== null && (
        <img
          className={classes.preview}
          src={new URL(picture).pathname + new URL(picture).search}
          alt={t`Screenshot of the page`}
        />
      )}
      {text === null && picture === null && bytes !== null && (
        <Text size="sm">{t`${formatBytes(bytes)} are compared byte by byte.`}</Text>
      )}
      {ignored.map(({ rules, lines, examples }) => (
        <div key={rules.join('\n')}>
          <Text size="sm" component="div">
            <code className="mono">{rules.join(', ')}</code>{' '}
            {plural(lines, {
              0: 'leaves nothing out.',
              one: 'leaves out # line, or a part of it:',
              other: 'leaves out # lines, or parts of them:',
            })}
          </Text>
          {examples.map((example) => (
            <Text key={example} size="sm" c="dimmed" className={classes.example}>
              {example}
            </Text>
          ))}
        </div>
      ))}
      <Text size="sm">
        <TextLink to="/history/$id" params={{ id }} size="sm" underline="always">
          <Trans>Record of this preview</Trans>
        </TextLink>
      </Text>
    </>
  );
}
