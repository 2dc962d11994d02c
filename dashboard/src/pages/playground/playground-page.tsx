import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, SegmentedControl } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Schema } from '../../api/client.ts';
import { descriptionQuery, fieldTextsQuery, scrapersQuery, useImportCurl } from '../../api/playground.ts';
import { contentKind } from '../../result/content/content-kind.ts';
import { RulesContext, type RulesTarget } from '../../result/picker/rules-context.ts';
import { type Picker, usePicker } from '../../result/picker/use-picker.ts';
import { useCopy } from '../../ui/copy-button.tsx';
import { IconCheck, IconLink, IconPlay, IconRotate } from '../../ui/icons.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { EXAMPLES, type ExampleName } from './examples.ts';
import {
  type FieldProblem,
  fieldProblem,
  pathOfPointer,
  RequestFormContext,
  unresolvedProblems,
} from './form/form-context.ts';
import { RequestGroups } from './form/request-groups.tsx';
import { isCurl, UrlBar } from './form/url-bar.tsx';
import { isObject, type JsonObject, maskedPointers, sameJson, valueAt, withValueAt } from './model/json.ts';
import { collapseShorthands, fieldPointer, requestSupportFor } from './model/request-fields.ts';
import { requestWarnings, warningsByLine } from './model/request-warnings.ts';
import { type Components, translated } from './model/schema.ts';
import { LONGEST_LINK, sharedFragment, withScheme } from './model/share-link.ts';
import { IgnoredNotice, Notices, StaleNotice } from './notices.tsx';
import classes from './playground.module.css';
import { RecentMenu } from './recent-menu.tsx';
import { RunButtons } from './run/run-buttons.tsx';
import { RunOutcome } from './run/run-outcome.tsx';
import { IDLE, type RunState, useRun } from './run/use-run.ts';
import { SavedRequests } from './saved-requests.tsx';
import { SourcePanel } from './source-panel.tsx';
import { useMapTask } from './tasks/map-task.tsx';
import { TaskBar } from './tasks/task-bar.tsx';
import { TaskFields } from './tasks/task-fields.tsx';
import { type Edit, editsForTask, type TaskName } from './tasks/tasks.ts';
import { type Draft, useDraft, useLoadedRequest } from './use-draft.ts';
import { useViewState, type View } from './use-view-state.ts';

/** The form is generated from the OpenAPI description, so nothing is shown until that has loaded. */
export function PlaygroundPage() {
  const { data: description } = useSuspenseQuery(descriptionQuery);
  const { data: scrapers } = useSuspenseQuery(scrapersQuery);
  const { data: fieldText } = useSuspenseQuery(fieldTextsQuery);
  const { components } = description as { readonly components?: { readonly schemas?: Components } };
  const schemas = useMemo(() => translated(components?.schemas ?? {}, fieldText), [components, fieldText]);
  const shown = useMemo(() => translated(scrapers, fieldText), [scrapers, fieldText]);
  return <Playground components={schemas} scrapers={shown} />;
}

const playgroundRoute = getRouteApi('/signed-in/playground');

const MASKED = t`Masked in the record: fill it in.`;

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
  const urlField = useRef<HTMLInputElement>(null);
  const viewState = useViewState(editor, draft.syntax, draft.text);
  const run = useRun();
  /** The problems that the last refusal named. Some may have been corrected since. */
  const [refusalProblems, setRefusalProblems] = useState<readonly FieldProblem[]>([]);
  const curl = useImportCurl();
  const picker = usePicker();
  const map = useMapTask(draft.request, () => draft.text);
  /** The tab of the result that the user has chosen; null: none. */
  const [resultTab, setResultTab] = useState<string | null>(null);
  /** The task of the last run. */
  const [ranTask, setRanTask] = useState<TaskName | null>(null);
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

  /** Before the draft is replaced, because the record that the URL names would be loaded again. */
  const forgetUrl = () => navigate({ search: {}, state: {}, replace: true });
  const loadRequest = async (next: JsonObject) => {
    await forgetUrl();
    setRefusalProblems([]);
    viewState.setTask(null);
    draft.load({ text: JSON.stringify(next, null, 2), from: null, masked: maskedPointers(next) });
  };

  const importCurl = async (command: string) => {
    const imported = await curl.mutateAsync(command).catch(() => null);
    if (imported === null) return;
    await loadRequest(imported.request as JsonObject);
    notifySuccess(t`The curl command is now the request.`);
  };

  /** @param edits changes of the request before it is run */
  const start = async (dry: boolean, edits: readonly Edit[] = []) => {
    if (typeof request.url === 'string' && isCurl(request.url)) return importCurl(request.url);
    if (fault !== null) return viewState.showOffset(fault.offset);
    curl.reset();
    const url = typeof request.url === 'string' ? withScheme(request.url) : null;
    if (viewState.task === 'map') {
      if (url !== request.url) draft.set(['url'], url ?? undefined);
      return map.start(url ?? '');
    }
    const all: readonly Edit[] = url === null || url === request.url ? edits : [...edits, [['url'], url]];
    const sent =
      all.length === 0
        ? { text, request }
        : {
            text: draft.change(all),
            request: all.reduce((before, [path, value]) => withValueAt(before, path, value), request),
          };
    await send(sent.text, sent.request, viewState.task, dry);
  };

  const send = async (text: string, request: JsonObject, task: TaskName | null, dry: boolean) => {
    setRefusalProblems([]);
    setResultTab(null);
    setRanTask(task);
    const result = await run.start(text, request, dry);
    const problems = (result?.error?.problem?.errors ?? []).flatMap(({ pointer, message }) =>
      pointer === undefined ? [] : [fieldProblem(fieldPointer(pointer), message, request)],
    );
    setRefusalProblems(problems);
    if (result?.scrape === null && problems[0] !== undefined) viewState.show(problems[0].pointer);
  };

  const runExample = async (name: ExampleName) => {
    const { request, task } = EXAMPLES[name];
    const text = JSON.stringify(request, null, 2);
    await loadRequest(request as JsonObject);
    viewState.setTask(task);
    viewState.setView('form');
    await send(text, request as JsonObject, task, false);
  };
  const example = useLocation({ select: ({ state }) => state.example });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link
  useEffect(() => {
    if (example !== undefined) void runExample(example);
  }, [example]);

  const { state } = run;
  // In an effect, because the page is too short to scroll before it has been rendered.
  useEffect(() => {
    const isShown = state.phase === 'running' || (state.phase === 'done' && state.result.scrape !== null);
    if (isShown && outcome.current !== null) bringIntoView(outcome.current);
  }, [state]);
  // Without a URL, nothing can be run: it is what is typed next.
  const focusEmptyUrl = () => {
    if ((request.url ?? '') === '') urlField.current?.focus({ preventScroll: true });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the page is opened
  useEffect(() => focusEmptyUrl(), []);
  const setTask = (task: TaskName | null) => {
    const edits = task === null ? [] : editsForTask(request, viewState.task, task);
    if (edits.length > 0) draft.change(edits);
    viewState.setTask(task);
    viewState.setView('form');
    focusEmptyUrl();
  };

  const isEarlier =
    state.phase === 'done' &&
    (state.request.url !== request.url ||
      // Fields are picked on the page of any run.
      (viewState.task !== ranTask && viewState.task !== 'data' && !sameJson(state.request, request)));
  const isMap = viewState.task === 'map';
  const pageId = storedPageId(state);
  // There is nothing to show yet but the page, where the first field can be picked.
  const isPicking = viewState.task === 'data' && valueAt(request, EXTRACT) === undefined;
  // A refusal is shown until all members that it names have been changed, and any error until the URL is.
  const isCorrected =
    refusalProblems.length > 0 &&
    unresolved.length === 0 &&
    state.phase === 'done' &&
    state.result.scrape === null;
  const rules = rulesTarget(draft, picker, () => {
    // The task only shows the rows: what others have written stays.
    viewState.setTask('data');
    viewState.setView('form');
    setResultTab('picker');
  });
  const pickOnPage = () => {
    setResultTab('picker');
    if (outcome.current !== null) bringIntoView(outcome.current);
  };

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

  const reset = async () => {
    await forgetUrl();
    draft.reset();
    run.forget();
    setRefusalProblems([]);
    curl.reset();
    viewState.setTask(null);
  };

  return (
    <RequestFormContext value={form}>
      <PageHeader
        title={t`Playground`}
        description={t`Build a request, run it, copy it as code.`}
        actions={
          <PlaygroundMenu
            text={text}
            request={fault === null ? collapseShorthands(request) : null}
            onLoad={(next) => void loadRequest(next)}
            onReset={() => void reset()}
          />
        }
      />
      <div className={classes.page}>
        <UrlBar
          disabled={fault !== null}
          onEnter={() => void start(false)}
          onCurl={(command) => void importCurl(command)}
          urlRef={urlField}
          actions={
            isMap ? (
              <Button
                leftSection={<IconPlay size={16} />}
                loading={map.isRunning}
                onClick={() => void start(false)}
                miw={96}
              >
                <Trans>Run</Trans>
              </Button>
            ) : (
              <RunButtons state={state} onRun={(dry) => void start(dry)} onCancel={run.cancel} />
            )
          }
        />
        <TaskBar task={viewState.task} disabled={fault !== null} onTask={setTask} request={() => text} />
        <ErrorNotice error={loaded.error} />
        <ErrorNotice error={curl.error} title={t`The curl command could not be imported`} />
        {curl.data !== undefined && <IgnoredNotice ignored={curl.data.ignored} />}
        <Notices
          from={draft.from}
          onReload={loaded.reload}
          masked={masked}
          warnings={warnings}
          onShow={viewState.show}
        />
        <div className={classes.columns}>
          <div className={classes.card} data-rows={viewState.task === 'data' || undefined}>
            {!isMap && (
              <SegmentedControl
                className={classes.views}
                aria-label={t`What to show`}
                size="xs"
                data={[
                  { value: 'form', label: t`Form` },
                  { value: 'source', label: t`JSON and code` },
                ]}
                value={viewState.view}
                onChange={(view) => viewState.setView(view as View)}
                fullWidth
              />
            )}
            <RulesContext value={rules}>
              <div hidden={viewState.view !== 'form'}>
                {fault !== null && <StaleNotice />}
                <fieldset disabled={fault !== null} aria-label={t`Request`}>
                  {isMap ? (
                    map.fields
                  ) : viewState.task === null ? (
                    <RequestGroups group={viewState.group} onGroup={viewState.setGroup} />
                  ) : (
                    <TaskFields task={viewState.task} pageId={pageId} onPick={() => pickOnPage()} />
                  )}
                </fieldset>
              </div>
            </RulesContext>
            <div hidden={viewState.view !== 'source'}>
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
          <section ref={outcome} className={classes.outcome} aria-label={t`Outcome`}>
            {isMap ? (
              map.outcome
            ) : (
              <RulesContext value={rules}>
                <RunOutcome
                  state={isCorrected || isErrorOfOtherUrl(state, request) ? IDLE : state}
                  unresolved={unresolved}
                  onShow={viewState.show}
                  onRetry={() => void start(false)}
                  draft={fault === null && masked.length === 0 ? request : undefined}
                  onRun={(changed) => void start(false, memberEdits(request, changed))}
                  tab={resultTab ?? (isPicking ? 'picker' : null)}
                  onTab={setResultTab}
                  isEarlier={isEarlier}
                  onExample={(name) => void runExample(name)}
                />
              </RulesContext>
            )}
          </section>
        </div>
      </div>
    </RequestFormContext>
  );
}

/** The changed members of a request. */
const memberEdits = (before: JsonObject, after: JsonObject): readonly Edit[] =>
  Object.keys(after).flatMap((name) => (after[name] === before[name] ? [] : [[[name], after[name]] as Edit]));

/** Scrolls only if little of the element is in view. */
function bringIntoView(element: HTMLElement): void {
  const { top } = element.getBoundingClientRect();
  if (top < 0 || top > window.innerHeight / 2) element.scrollIntoView({ block: 'start' });
}

/** Whether the last run failed, and the URL has been changed since. */
function isErrorOfOtherUrl(state: RunState, { url }: JsonObject): boolean {
  const hasFailed = state.phase === 'failed' || (state.phase === 'done' && state.result.error !== null);
  return hasFailed && state.request.url !== url;
}

/** Id of the last result, if it is stored and an HTML page; null: it is not. */
function storedPageId(state: RunState): string | null {
  if (state.phase !== 'done' || state.result.scrape === null) return null;
  const { scrape } = state.result;
  const retain = valueAt(state.request, ['router', 'retain']) ?? 'full';
  const isPage = (scrape.content ?? '') !== '' && contentKind(scrape).language === 'html';
  return isPage && retain === 'full' ? scrape.id : null;
}

const EXTRACT = ['scraper_options', 'extract'];

/** The picker of the result writes into the request above. */
function rulesTarget({ request, fault, set }: Draft, picker: Picker, showRows: () => void): RulesTarget {
  const rules = valueAt(request, EXTRACT);
  return {
    rules: isObject(rules) ? rules : NO_RULES,
    setRules: (next) => set(EXTRACT, Object.keys(next).length === 0 ? undefined : (next as JsonObject)),
    disabled: fault !== null,
    picker,
    showRows,
    note:
      fault === null
        ? t`The fields are in scraper_options.extract of the request.`
        : t`The JSON of the request has an error. Correct it to change the fields.`,
  };
}

const NO_RULES: JsonObject = {};

interface PlaygroundMenuProps {
  readonly text: string;
  readonly request: JsonObject | null;
  readonly onLoad: (request: JsonObject) => void;
  readonly onReset: () => void;
}

/** Actions for the whole request. */
function PlaygroundMenu({ text, request, onLoad, onReset }: PlaygroundMenuProps) {
  const { copied, copy } = useCopy();
  const share = async () => {
    const link = `${location.origin}${location.pathname}#${sharedFragment(text)}`;
    await copy(link);
    notifySuccess(
      link.length > LONGEST_LINK
        ? t`Link copied. It holds the whole request, also its headers, cookies and body. It is long: some programs cut it.`
        : t`Link copied. It holds the whole request, also its headers, cookies and body.`,
    );
  };
  return (
    <>
      <SavedRequests request={request} onLoad={onLoad} />
      <RecentMenu />
      <Button
        variant="default"
        className={classes.menuButton}
        leftSection={copied ? <IconCheck size={16} /> : <IconLink size={16} />}
        onClick={() => void share()}
      >
        <Trans>Copy a link</Trans>
      </Button>
      <Button
        variant="default"
        className={classes.menuButton}
        leftSection={<IconRotate size={16} />}
        onClick={onReset}
      >
        <Trans>Reset</Trans>
      </Button>
    </>
  );
}
