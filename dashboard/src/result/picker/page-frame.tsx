import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { attributeOf, childrenOf, nameOf, parentOf, textOf } from './dom-access.ts';
import { copyPage, FRAME_PAGE, type PageCopy } from './page-copy.ts';
import type { ParsedPage } from './parse-page.ts';
import classes from './picker.module.css';

/** More marks would make browsers slow. */
const MAX_MARKS = 300;
const MIN_HEIGHT = 320;

interface PageFrameProps {
  readonly page: ParsedPage;
  /** The elements of the main content; null: not known. */
  readonly main: readonly Element[] | null;
  /** What the selector finds. */
  readonly matches: readonly Element[];
  readonly onPick: (element: Element) => void;
}

/**
 * The page, with marks and a layer over it for the pointer and the keyboard. So nothing in the frame is ever clicked or
 * focused. The frame may share our origin, because it may not run scripts: only so can its elements be found.
 */
export function PageFrame({ page, main, matches, onPick }: PageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const { ref: sized, width } = useElementSize();
  const scroller = useRef<HTMLDivElement>(null);
  const [copy, setCopy] = useState<PageCopy | null>(null);
  const [height, setHeight] = useState(MIN_HEIGHT);
  const [at, setAt] = useState<Element | null>(null);
  // The width changes the layout of the page, and so its height and all marks.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const shown = frame.current?.contentDocument;
    if (shown != null && copy !== null)
      setHeight(Math.max(MIN_HEIGHT, shown.documentElement.scrollHeight, shown.body.scrollHeight));
  }, [copy, width]);
  const fill = () => {
    const shown = frame.current?.contentDocument;
    if (shown != null) setCopy(copyPage(page, shown));
  };
  const boxOf = (element: Element): DOMRect | null => {
    const box = copy?.copyOf(element)?.getBoundingClientRect();
    return box === undefined || (box.width === 0 && box.height === 0) ? null : box;
  };
  const elementAt = ({ nativeEvent: { offsetX, offsetY } }: MouseEvent) =>
    copy?.originalOf(frame.current?.contentDocument?.elementFromPoint(offsetX, offsetY) ?? null) ?? null;
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === 'Enter' || event.key === ' ') && at !== null) onPick(at);
    else {
      const next = neighbour(event.key, at, page.document, (element) => boxOf(element) !== null);
      if (next === null) return;
      setAt(next);
      const box = boxOf(next);
      if (box !== null) bringIntoView(scroller.current, box);
    }
    event.preventDefault();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <section ref={scroller} className={classes.scroller} aria-label={t`The page`} tabIndex={0}>
        <div ref={sized} className={classes.stage} style={{ height }}>
          <iframe
            ref={frame}
            title={t`Page to pick from`}
            sandbox="allow-same-origin"
            referrerPolicy="no-referrer"
            tabIndex={-1}
            srcDoc={FRAME_PAGE}
            onLoad={fill}
          />
          <div aria-hidden="true">
            {main !== null && <Marks kind="main" boxes={main.map(boxOf)} label={t`Main content`} />}
            <Marks kind="match" boxes={matches.slice(0, MAX_MARKS).map(boxOf)} />
            {at !== null && <Marks kind="at" boxes={[boxOf(at)]} />}
          </div>
          <div
            className={classes.layer}
            role="application"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the keys
            tabIndex={0}
            aria-label={t`Elements of the page. Arrow up: the element around; down: the first inside; left and right: its neighbours. Enter picks it.`}
            onMouseMove={(event) => setAt(elementAt(event))}
            onMouseLeave={() => setAt(null)}
            onClick={(event) => {
              const element = elementAt(event);
              if (element !== null) onPick(element);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
      </section>
      <p className={classes.status} role="status">
        {at === null ? '' : describe(at)}
      </p>
      {copy?.cut === true && (
        <p className={classes.note}>
          <Trans>
            The page is too large to be shown as a whole. Elements further down can be found by a selector.
          </Trans>
        </p>
      )}
    </>
  );
}

interface MarksProps {
  readonly kind: 'main' | 'match' | 'at';
  readonly boxes: readonly (DOMRect | null)[];
  /** Written at the first box. */
  readonly label?: string;
}

function Marks({ kind, boxes, label }: MarksProps) {
  return boxes.map(
    (box, index) =>
      box !== null && (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no state
          key={index}
          className={classes.mark}
          data-kind={kind}
          style={{ left: box.left, top: box.top, width: box.width, height: box.height }}
        >
          {label !== undefined && index === 0 && <span>{label}</span>}
        </div>
      ),
  );
}

/** The element to which a key leads, among those that are shown; null: nowhere. */
function neighbour(
  key: string,
  at: Element | null,
  page: Document,
  isShown: (element: Element) => boolean,
): Element | null {
  const body = childrenOf(page)
    .flatMap(childrenOf)
    .find((element) => nameOf(element) === 'body');
  if (at === null) return key.startsWith('Arrow') ? (body ?? null) : null;
  if (key === 'ArrowUp') return at === body ? null : parentOf(at);
  if (key === 'ArrowDown') return childrenOf(at).find(isShown) ?? null;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const parent = parentOf(at);
  const siblings =
    parent === null ? [] : childrenOf(parent).filter((other) => other === at || isShown(other));
  return siblings[siblings.indexOf(at) + (key === 'ArrowLeft' ? -1 : 1)] ?? null;
}

function bringIntoView(scroller: HTMLElement | null, { top, bottom }: DOMRect): void {
  if (scroller === null) return;
  const { scrollTop, clientHeight } = scroller;
  if (top < scrollTop || bottom > scrollTop + clientHeight) scroller.scrollTop = top - clientHeight / 4;
}

/** The start tag in short, and the beginning of the text. */
function describe(element: Element): string {
  const id = attributeOf(element, 'id');
  const name = attributeOf(element, 'class')?.trim().split(/\s+/, 1)[0];
  const tag = `${nameOf(element)}${id === null ? '' : `#${id}`}${name ? `.${name}` : ''}`;
  const text = textOf(element).slice(0, 1_000).replace(/\s+/g, ' ').trim();
  return text === '' ? tag : `${tag}: ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`;
}
