import { Button, SegmentedControl } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Schema } from '../../api/client.ts';
import { descriptionQuery, scrapersQuery } from '../../api/playground.ts';
import { RulesContext, type RulesTarget } from '../../result/picker/extract-rules.ts';
import { useCopy } from '../../ui/copy-button.tsx';
import { IconCheck, IconLink, IconRotate } from '../../ui/icons.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import {
  type FieldProblem,
  fieldProblem,
  pathOfPointer,
  RequestFormContext,
  unresolvedProblems,
} from './form/form-context.ts';
import { RequestGroups } from './form/request-groups.tsx';
import { UrlBar } from './form/url-bar.tsx';
import { isObject, type JsonObject, valueAt } from './model/json.ts';
import { fieldPointer, requestSupportFor } from './model/request-fields.ts';
import { requestWarnings, warningsByLine } from './model/request-warnings.ts';
import type { Components } from './model/schema.ts';
import { LONGEST_LINK, sharedFragment, withScheme } from './model/share-link.ts';
import { Notices, StaleNotice } from './notices.tsx';
import classes from './playground.module.css';
import { RunButtons } from './run/run-buttons.tsx';
import { RunOutcome } from './run/run-outcome.tsx';
import { IDLE, useRun } from './run/use-run.ts';
import { SourcePanel } from './source-panel.tsx';
import { type Draft, useDraft, useLoadedRequest } from './use-draft.ts';
import { useViewState, type View } from './use-view-state.ts';

/** The form is generated from the OpenAPI description, so nothing is shown until that has loaded. */
export function PlaygroundPage() {
  const { data: description } = useSuspenseQuery(descriptionQuery);
  const { data: scrapers } = useSuspenseQuery(scrapersQuery);
  const { components } = description as { readonly components?: { readonly schemas?: Components } };
  return <Playground components={components?.schemas ?? {}} scrapers={scrapers} />;
}

const playgroundRoute = getRouteApi('/signed-in/playground');

const MASKED = 'Masked in the record: fill it in.';

interface PlaygroundProps {
  readonly components: Components;
  readonly scrapers: Schema<'ScraperList'>;
}

function Playground({ components, scrapers }: PlaygroundProps) {
  const draft = useDraft(components);
  const loaded = useLoadedRequest(draft);
  const navigate = playgroundRoute.useNavigate();
  const editor = useRef<HTMLTextAreaElement>(null);
  const outcome = useRef<HTMLElement>(null);
  const viewState = useViewState(editor, draft.syntax, draft.text);
  const run = useRun();
  /** The problems that the last refusal named. Some may have been corrected since. */
  const [refusalProblems, setRefusalProblems] = useState<readonly FieldProblem[]>([]);
  const { request, text, fault } = draft;

  const support = useMemo(
    () => requestSupportFor(components, scrapers, request),
    [components, scrapers, request],
  );
  const warnings = useMemo(() => requestWarnings(request, support), [request, support]);
  const masked = draft.masked.filter((pointer) =>
    String(valueAt(request, pathOfPointer(pointer))).includes('***'),
  );
  const unresolved = unresolvedProblems(refusalProblems, request);
  const problems = [...unresolved, ...masked.map((pointer) => fieldProblem(pointer, MASKED, request))];
  const form = { request, support, problems, set: draft.set };

  const start = async (dry: boolean) => {
    if (fault !== null) return viewState.showOffset(fault.offset);
    setRefusalProblems([]);
    const url = typeof request.url === 'string' ? withScheme(request.url) : null;
    const sent =
      url === null || url === request.url
        ? { text, request }
        : { text: draft.set(['url'], url), request: { ...request, url } };
    const result = await run.start(sent.text, sent.request, dry);
    const problems = (result?.error?.problem?.errors ?? []).flatMap(({ pointer, message }) =>
      pointer === undefined ? [] : [fieldProblem(fieldPointer(pointer), message, sent.request)],
    );
    setRefusalProblems(problems);
    if (result?.scrape === null && problems[0] !== undefined) viewState.show(problems[0].pointer);
  };

  const { state } = run;
  // In an effect, because the page is too short to scroll before it has been rendered.
  useEffect(() => {
    if (state.phase === 'running') outcome.current?.scrollIntoView({ block: 'nearest' });
    else if (state.phase === 'done' && state.result.scrape !== null)
      outcome.current?.scrollIntoView({ block: 'start' });
  }, [state]);
  // A refusal is shown until all members that it names have been changed.
  const isCorrected = refusalProblems.length > 0 && unresolved.length === 0;

  // Always calls the latest `start`, without a new listener for each render.
  const onKey = useRef<(event: KeyboardEvent) => void>(undefined);
  onKey.current = (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void start(false);
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey.current?.(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  const reset = () => {
    draft.reset();
    run.forget();
    setRefusalProblems([]);
    void navigate({ search: {}, replace: true });
  };

  return (
    <RequestFormContext value={form}>
      <PageHeader
        title="Playground"
        description="Build a request, run it, copy it as code."
        actions={<PlaygroundMenu text={text} onReset={reset} />}
      />
      <div className={classes.page}>
        <UrlBar
          disabled={fault !== null}
          onEnter={() => void start(false)}
          actions={<RunButtons state={state} onRun={(dry) => void start(dry)} onCancel={run.cancel} />}
        />
        <ErrorNotice error={loaded.error} />
        <Notices
          from={draft.from}
          onReload={loaded.reload}
          masked={masked}
          warnings={warnings}
          onShow={viewState.show}
        />
        <SegmentedControl
          className={classes.views}
          aria-label="What to show"
          data={[
            { value: 'form', label: 'Form' },
            { value: 'source', label: 'JSON and code' },
          ]}
          value={viewState.view}
          onChange={(view) => viewState.setView(view as View)}
          fullWidth
        />
        <div className={classes.columns}>
          <div className={classes.card} data-hidden-narrow={viewState.view !== 'form' || undefined}>
            {fault !== null && <StaleNotice />}
            <fieldset disabled={fault !== null} className={classes.fieldset} aria-label="Request">
              <RequestGroups group={viewState.group} onGroup={viewState.setGroup} />
            </fieldset>
          </div>
          <div
            className={`${classes.card} ${classes.sourceColumn}`}
            data-hidden-narrow={viewState.view !== 'source' || undefined}
          >
            <SourcePanel
              draft={draft}
              marks={warningsByLine(
                [...warnings, ...problems.map(({ pointer, message }) => ({ pointer, text: message }))],
                draft.syntax,
              )}
              tab={viewState.tab}
              onTab={viewState.setTab}
              editorRef={editor}
            />
          </div>
        </div>
        <section ref={outcome} className={classes.outcome} aria-label="Outcome">
          <RulesContext value={rulesTarget(draft)}>
            <RunOutcome
              state={isCorrected && state.phase === 'done' && state.result.scrape === null ? IDLE : state}
              unresolved={unresolved}
              onShow={viewState.show}
              onRetry={() => void start(false)}
            />
          </RulesContext>
        </section>
      </div>
    </RequestFormContext>
  );
}

const EXTRACT = ['scraper_options', 'extract'];

/** The picker of the result writes into the request above. */
function rulesTarget({ request, fault, set }: Draft): RulesTarget {
  const rules = valueAt(request, EXTRACT);
  return {
    rules: isObject(rules) ? rules : NO_RULES,
    setRules: (next) => set(EXTRACT, Object.keys(next).length === 0 ? undefined : (next as JsonObject)),
    disabled: fault !== null,
    note:
      fault === null
        ? 'The fields are in scraper_options.extract of the request above.'
        : 'The JSON of the request has an error. Correct it to change the fields.',
  };
}

const NO_RULES: JsonObject = {};

interface PlaygroundMenuProps {
  readonly text: string;
  readonly onReset: () => void;
}

/** Actions for the whole request. */
function PlaygroundMenu({ text, onReset }: PlaygroundMenuProps) {
  const { copied, copy } = useCopy();
  const share = async () => {
    const link = `${location.origin}${location.pathname}#${sharedFragment(text)}`;
    await copy(link);
    const long = link.length > LONGEST_LINK ? ' It is long: some programs cut it.' : '';
    notifySuccess(`Link copied. It holds the whole request, also its headers, cookies and body.${long}`);
  };
  return (
    <>
      <Button
        variant="default"
        className={classes.menuButton}
        aria-label="Copy a link"
        leftSection={copied ? <IconCheck size={16} /> : <IconLink size={16} />}
        onClick={() => void share()}
      >
        <span className={classes.wideOnly}>Copy a link</span>
      </Button>
      <Button
        variant="default"
        className={classes.menuButton}
        aria-label="Reset"
        leftSection={<IconRotate size={16} />}
        onClick={onReset}
      >
        <span className={classes.wideOnly}>Reset</span>
      </Button>
    </>
  );
}
