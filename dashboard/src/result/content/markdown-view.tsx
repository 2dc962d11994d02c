import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl, useComputedColorScheme } from '@mantine/core';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { useMemo, useState } from 'react';
import { STYLE_NONCE } from '../../app/page-config.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatCount } from '../../ui/format.ts';
import classes from './content-panel.module.css';
import { SourceView } from './source-view.tsx';

/** Longer Markdown is not rendered as a whole, because that would block the page. */
const MAX_RENDERED = 100_000;

/** Markdown as its source, or rendered. The names differ from those of the views of the page. */
export function MarkdownView({ markdown }: { readonly markdown: string }) {
  const [view, setView] = useState('rendered');
  return (
    <>
      <div className={classes.tools}>
        <SegmentedControl
          size="xs"
          aria-label={t`Views of the Markdown`}
          data={[
            { value: 'rendered', label: t`Formatted` },
            { value: 'source', label: t`Plain text` },
          ]}
          value={view}
          onChange={setView}
        />
        <span className={classes.gap} />
        {view === 'rendered' && <CopyButton value={markdown} label={t`Copy the Markdown`} />}
      </div>
      {view === 'source' ? (
        <SourceView text={markdown} language={null} label={t`markdown`} />
      ) : (
        <RenderedMarkdown markdown={markdown} />
      )}
    </>
  );
}

/**
 * The Markdown comes from the page, so it is not trusted. micromark escapes HTML and drops URLs that are scripts; the frame is
 * sandboxed and loads nothing.
 */
function RenderedMarkdown({ markdown }: { readonly markdown: string }) {
  const scheme = useComputedColorScheme();
  const page = useMemo(() => markdownPage(markdown.slice(0, MAX_RENDERED), scheme), [markdown, scheme]);
  return (
    <>
      {markdown.length > MAX_RENDERED && (
        <p className={classes.note}>
          <Trans>Only the first {formatCount(MAX_RENDERED)} characters are rendered.</Trans>
        </p>
      )}
      <iframe
        className={classes.markdown}
        title={t`Rendered Markdown`}
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={page}
      />
    </>
  );
}

/** A page without scripts, links that open, and requests. */
function markdownPage(markdown: string, scheme: 'light' | 'dark'): string {
  // Front matter is not part of CommonMark.
  const text = markdown.replace(/^---\n([\s\S]*?)\n---\n/, '```yaml\n$1\n```\n');
  const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  // Images would be loaded from the site. What micromark writes has no other `<img`, because it escapes the text.
  const shown = html.replace(
    /<img src="[^"]*" alt="([^"]*)"[^>]*>/g,
    (_, alt: string) => `<span class="image">${t`Image: ${alt}`}</span>`,
  );
  const policy = `default-src 'none'; style-src 'nonce-${STYLE_NONCE}'`;
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><base target="_blank"><title>Markdown</title><style nonce="${STYLE_NONCE}">${styleOf(scheme)}</style>${shown}`;
}

/** The frame cannot use the style sheets and variables of the page around it. */
function styleOf(scheme: 'light' | 'dark'): string {
  const root = getComputedStyle(document.documentElement);
  const value = (name: string) => root.getPropertyValue(name).trim();
  const [text, surface, line, sunken, link] = [
    '--sl-text',
    '--sl-surface',
    '--sl-line-strong',
    '--sl-surface-sunken',
    '--sl-accent-text',
  ].map(value);
  return `
    html { color-scheme: ${scheme}; background: ${surface}; color: ${text}; font: 15px/1.6 system-ui, sans-serif; }
    body { max-width: 46rem; margin: 0; padding: 14px 18px 28px; overflow-wrap: anywhere; }
    h1, h2, h3, h4, h5, h6 { margin: 1.4em 0 0.5em; line-height: 1.25; }
    h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; } h3 { font-size: 1.1rem; } h4, h5, h6 { font-size: 1rem; }
    body > :first-child { margin-top: 0; }
    a { color: ${link}; }
    pre, code { font: 0.9em ui-monospace, monospace; background: ${sunken}; border-radius: 4px; }
    code { padding: 0.1em 0.3em; } pre { padding: 10px 12px; overflow: auto; } pre code { padding: 0; }
    blockquote { margin-inline: 0; padding-left: 1em; border-left: 3px solid ${line}; }
    table { display: block; overflow: auto; border-collapse: collapse; }
    th, td { padding: 4px 10px; border: 1px solid ${line}; text-align: left; vertical-align: top; overflow-wrap: normal; }
    hr { border: 0; border-top: 1px solid ${line}; }
    .image { padding: 0 0.4em; border: 1px solid ${line}; border-radius: 4px; font-size: 0.9em; }
  `;
}
