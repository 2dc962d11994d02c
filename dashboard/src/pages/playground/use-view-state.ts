import { type RefObject, useCallback, useState } from 'react';
import { flushSync } from 'react-dom';
import type { JsonSyntax } from './model/json-syntax.ts';
import { type Group, groupOf } from './model/request-fields.ts';
import type { SourceTab } from './source-panel.tsx';
import type { TaskName } from './tasks/tasks.ts';

/** How the request is shown. */
export type View = 'form' | 'source';

interface ViewState {
  readonly group: Group;
  readonly view: View;
  readonly tab: SourceTab;
  /** The task whose fields are shown; null: all options are. */
  readonly task: TaskName | null;
  setGroup(group: Group): void;
  setView(view: View): void;
  setTab(tab: SourceTab): void;
  setTask(task: TaskName | null): void;
  /** Goes to the field of a pointer, or to its line in the JSON if there is no field. */
  show(pointer: string): void;
  showOffset(offset: number): void;
}

export function useViewState(
  editor: RefObject<HTMLTextAreaElement | null>,
  syntax: JsonSyntax,
  text: string,
): ViewState {
  const [group, setGroup] = useState<Group>('request');
  const [view, setView] = useState<View>('form');
  const [tab, setTab] = useState<SourceTab>('JSON');
  const [task, setTask] = useState<TaskName | null>(null);
  const showOffset = useCallback(
    (offset: number) => {
      flushSync(() => {
        setView('source');
        setTab('JSON');
      });
      editor.current?.focus();
      editor.current?.setSelectionRange(offset, offset);
    },
    [editor],
  );
  const show = useCallback(
    (pointer: string) => {
      // A hidden element cannot be focused.
      flushSync(() => {
        setView('form');
        // URL and method are above the groups.
        setGroup((current) =>
          pointer === '/url' || pointer === '/method' || pointer === '' ? current : groupOf(pointer),
        );
      });
      let control = controlOf(pointer);
      if (control === null) {
        // The task does not show the field.
        flushSync(() => setTask(null));
        control = controlOf(pointer);
      }
      if (control === null) showOffset(offsetOf(pointer, syntax, text));
      else control.focus();
    },
    [syntax, text, showOffset],
  );
  return { group, view, tab, task, setGroup, setView, setTab, setTask, show, showOffset };
}

/** The control with the longest pointer that is a prefix of this one. */
function controlOf(pointer: string): HTMLElement | null {
  // Not by an attribute selector, because a pointer may contain any characters.
  const shown = [...document.querySelectorAll<HTMLElement>('[data-pointer]')].filter(
    (element) => element.getClientRects().length > 0,
  );
  for (let prefix = pointer; prefix !== ''; prefix = prefix.slice(0, prefix.lastIndexOf('/'))) {
    const element = shown.find(({ dataset }) => dataset.pointer === prefix);
    const control = element?.matches('input, textarea')
      ? element
      : element?.querySelector<HTMLElement>('input, textarea, button');
    if (control) return control;
  }
  return null;
}

/** Offset of the line on which the value begins, or the nearest value around it. */
function offsetOf(pointer: string, { lines }: JsonSyntax, text: string): number {
  for (let prefix = pointer; prefix !== ''; prefix = prefix.slice(0, prefix.lastIndexOf('/'))) {
    const line = lines.get(prefix);
    if (line === undefined) continue;
    const before = text.split('\n').slice(0, line - 1);
    return before.reduce((sum, { length }) => sum + length + 1, 0);
  }
  return 0;
}
