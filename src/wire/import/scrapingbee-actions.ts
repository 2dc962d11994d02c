import { isObject } from '../../domain/json-schema.ts';
import { problem, readJsonParameter } from './scrapingbee-draft.ts';

type Action = Record<string, unknown>;

/** One instruction of a scenario → our actions. */
type Translate = (value: unknown) => readonly Action[];

const text = (name: string, value: unknown): string =>
  typeof value === 'string' && value !== ''
    ? value
    : problem(`has \`${name}\` with something that is no text`);
const whole = (name: string, value: unknown): number =>
  Number.isInteger(value) && (value as number) >= 0
    ? (value as number)
    : problem(`has \`${name}\` with something that is no whole number`);

/** Scrolls by pixels from where the page is; the action `scroll` of ours goes to a position. */
const scrollBy = (x: number, y: number): Action => ({
  type: 'evaluate',
  script: `window.scrollBy(${x}, ${y})`,
});

/** The instructions of `js_scenario`. */
const INSTRUCTIONS: Readonly<Record<string, Translate>> = {
  click: (selector) => [{ type: 'click', selector: text('click', selector) }],
  wait: (ms) => [{ type: 'wait', ms: whole('wait', ms) }],
  wait_for: (selector) => [
    { type: 'wait_for_selector', selector: text('wait_for', selector), timeout_ms: SCENARIO_WAIT_MS },
  ],
  wait_for_and_click: (selector) => [
    { type: 'click', selector: text('wait_for_and_click', selector), timeout_ms: SCENARIO_WAIT_MS },
  ],
  scroll_x: (pixels) => [scrollBy(whole('scroll_x', pixels), 0)],
  scroll_y: (pixels) => [scrollBy(0, whole('scroll_y', pixels))],
  fill: (pair) =>
    Array.isArray(pair) && pair.length === 2
      ? [{ type: 'fill', selector: text('fill', pair[0]), value: String(pair[1]) }]
      : problem('has `fill` without a selector and a value'),
  evaluate: (script) => [{ type: 'evaluate', script: text('evaluate', script) }],
  infinite_scroll: (settings) => [infiniteScroll(settings)],
};

/** How long a scenario waits for an element. */
const SCENARIO_WAIT_MS = 15_000;
/** The most that our action does. */
const MAX_SCROLLS = 100;

function infiniteScroll(settings: unknown): Action {
  if (!isObject(settings)) return problem('has `infinite_scroll` with something that is no object');
  const { max_count: count = 0, delay, end_click: endClick, ...rest } = settings;
  const other = Object.keys(rest)[0];
  if (other !== undefined) return problem(`has \`infinite_scroll\` with the unknown member \`${other}\``);
  if (endClick !== undefined)
    return problem('has `infinite_scroll.end_click`, which is not available: use a click of its own');
  return {
    type: 'infinite_scroll',
    // 0 in a scenario: until the end of the page.
    max_scrolls: whole('infinite_scroll.max_count', count) || MAX_SCROLLS,
    ...(delay !== undefined && { delay_ms: whole('infinite_scroll.delay', delay) }),
  };
}

/**
 * `js_scenario` of ScrapingBee: `{instructions: [{click: "#a"}, …], strict}`. With `strict` (the default), the call fails
 * if an instruction does.
 * @throws ParameterProblem
 */
export function readScenario(value: string): readonly Action[] {
  const scenario = readJsonParameter(value);
  if (!isObject(scenario) || !Array.isArray(scenario.instructions))
    return problem('must be `{"instructions": [...]}`');
  const { instructions, strict = true, ...rest } = scenario;
  const other = Object.keys(rest)[0];
  if (other !== undefined) return problem(`has the unknown member \`${other}\``);
  if (typeof strict !== 'boolean') return problem('has `strict` that is neither true nor false');
  return (instructions as readonly unknown[]).flatMap((instruction) => {
    const [[name, argument] = ['', null], second] = isObject(instruction) ? Object.entries(instruction) : [];
    const translate = Object.hasOwn(INSTRUCTIONS, name) ? INSTRUCTIONS[name] : undefined;
    if (translate === undefined || second !== undefined)
      return problem(`has an instruction that is none of ${Object.keys(INSTRUCTIONS).join(', ')}`);
    return translate(argument).map((action) => ({ ...action, on_error: strict ? 'fail' : 'continue' }));
  });
}

/** The actions of `playWithBrowser`, by their names. */
const PLAYS: Readonly<Record<string, (play: Readonly<Record<string, unknown>>) => Action>> = {
  Click: (play) => ({ type: 'click', selector: text('Selector', play.Selector) }),
  Wait: (play) => ({ type: 'wait', ms: whole('Timeout', play.Timeout) }),
  WaitSelector: (play) => ({
    type: 'wait_for_selector',
    selector: text('WaitSelector', play.WaitSelector),
    ...(play.Timeout !== undefined && { timeout_ms: whole('Timeout', play.Timeout) }),
  }),
  ScrollX: (play) => scrollBy(whole('Value', play.Value), 0),
  ScrollY: (play) => scrollBy(0, whole('Value', play.Value)),
  ScrollTo: (play) => ({ type: 'scroll', selector: text('Selector', play.Selector) }),
  Fill: (play) => ({
    type: 'fill',
    selector: text('Selector', play.Selector),
    value: String(play.Value ?? ''),
  }),
  Execute: (play) => ({ type: 'evaluate', script: text('Execute', play.Execute) }),
};

/** `playWithBrowser` of Scrape.do: `[{"Action": "Click", "Selector": "#a"}, …]`. @throws ParameterProblem */
export function readPlays(value: string): readonly Action[] {
  const plays = readJsonParameter(value);
  if (!Array.isArray(plays)) return problem('must be a list of actions');
  return plays.map((play) => {
    const name = isObject(play) ? String(play.Action) : '';
    const translate = Object.hasOwn(PLAYS, name) ? PLAYS[name]! : undefined;
    return translate === undefined
      ? problem(`has an action that is none of ${Object.keys(PLAYS).join(', ')}`)
      : { ...translate(play as Readonly<Record<string, unknown>>), on_error: 'fail' };
  });
}
