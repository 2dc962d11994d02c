import { SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Schema } from '../../api/client.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { type PlacedProblem, placed, RequestFormContext, stepsOf, stillTrue } from './form/form-context.ts';
import { RequestGroups } from './form/request-groups.tsx';
import { UrlBar } from './form/url-bar.tsx';
import { valueAt } from './model/json.ts';
import { linesOfNotes, notesOn } from './model/notes.ts';
import { offerFor, placeOf } from './model/offer.ts';
import type { Components } from './model/schema.ts';
import { withScheme } from './model/with-scheme.ts';
import { Notices, StaleNotice } from './notices.tsx';
import classes from './playground.module.css';
import { PlaygroundMenu } from './playground-menu.tsx';
import { RunButtons } from './run/run-buttons.tsx';
import { RunOutcome } from './run/run-outcome.tsx';
import { IDLE, useRun } from './run/use-run.ts';
import { SourcePanel } from './source-panel.tsx';
import { useDraft } from './use-draft.ts';
import { useLoading } from './use-loading.ts';
import { usePlaces, type View } from './use-places.ts';

const playgroundRoute = getRouteApi('/signed-in/playground');

const MASKED = 'Masked in the record: fill it in.';

interface PlaygroundProps {
  readonly components: Components;
  readonly scrapers: Schema<'ScraperList'>;
}

export function Playground({ components, scrapers }: PlaygroundProps) {
  const draft = useDraft(components);
  const loading = useLoading(draft);
  const navigate = playgroundRoute.useNavigate();
  const editor = useRef<HTMLTextAreaElement>(null);
  const outcome = useRef<HTMLElement>(null);
  const places = usePlaces(editor, draft.scan, draft.text);
  const run = useRun();
  const [refused, setRefused] = useState<readonly PlacedProblem[]>([]);
  const { request, text, fault } = draft;

  const offer = useMemo(() => offerFor(components, scrapers, request), [components, scrapers, request]);
  const notes = useMemo(() => notesOn(request, offer), [request, offer]);
  const masked = draft.masked.filter((pointer) => String(valueAt(request, stepsOf(pointer))).includes('***'));
  const wrong = stillTrue(refused, request);
  const problems = [...wrong, ...masked.map((pointer) => placed(pointer, MASKED, request))];
  const form = { request, offer, problems, set: draft.set };

  const start = async (dry: boolean) => {
    if (fault !== null) return places.showOffset(fault.offset);
    setRefused([]);
    const url = typeof request.url === 'string' ? withScheme(request.url) : null;
    const sent =
      url === null || url === request.url
        ? { text, request }
        : { text: draft.set(['url'], url), request: { ...request, url } };
    const answer = await run.start(sent.text, sent.request, dry);
    const found = (answer?.error?.problem?.errors ?? []).flatMap(({ pointer, message }) =>
      pointer === undefined ? [] : [placed(placeOf(pointer), message, sent.request)],
    );
    setRefused(found);
    if (answer?.scrape === null && found[0] !== undefined) places.show(found[0].pointer);
  };

  const { state } = run;
  // Once it is on the page, which is too short to scroll before.
  useEffect(() => {
    if (state.phase === 'running') outcome.current?.scrollIntoView({ block: 'nearest' });
    else if (state.phase === 'done' && state.answer.scrape !== null)
      outcome.current?.scrollIntoView({ block: 'start' });
  }, [state]);
  // A refusal is told until everything that it is about has been changed.
  const mended = refused.length > 0 && wrong.length === 0;

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
    setRefused([]);
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
        <ErrorNotice error={loading.error} />
        <Notices
          from={draft.from}
          onReload={loading.reload}
          masked={masked}
          notes={notes}
          onShow={places.show}
        />
        <SegmentedControl
          className={classes.views}
          aria-label="What to show"
          data={[
            { value: 'form', label: 'Form' },
            { value: 'source', label: 'JSON and code' },
          ]}
          value={places.view}
          onChange={(view) => places.setView(view as View)}
          fullWidth
        />
        <div className={classes.work}>
          <div className={classes.card} data-hidden-narrow={places.view !== 'form' || undefined}>
            {fault !== null && <StaleNotice />}
            <fieldset disabled={fault !== null} className={classes.plain} aria-label="Request">
              <RequestGroups group={places.group} onGroup={places.setGroup} />
            </fieldset>
          </div>
          <div
            className={`${classes.card} ${classes.aside}`}
            data-hidden-narrow={places.view !== 'source' || undefined}
          >
            <SourcePanel
              draft={draft}
              marks={linesOfNotes(
                [...notes, ...problems.map(({ pointer, message }) => ({ pointer, text: message }))],
                draft.scan,
              )}
              tab={places.tab}
              onTab={places.setTab}
              editorRef={editor}
            />
          </div>
        </div>
        <section ref={outcome} className={classes.outcome} aria-label="Outcome">
          <RunOutcome
            state={mended && state.phase === 'done' && state.answer.scrape === null ? IDLE : state}
            wrong={wrong}
            onShow={places.show}
            onRetry={() => void start(false)}
          />
        </section>
      </div>
    </RequestFormContext>
  );
}
