/**
 * What a tier of tests may cost: test/budget.json. Starts are counted exactly enough to fail a run; processor time depends on the
 * machine, so it is measured in calibrations (calibrate.ts), and has more room.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { START_KINDS, type Starts } from './test-starts.ts';

const BUDGET = 'test/budget.json';
/** What files share is opened once a process, so some starts depend on which files meet in one. */
const STARTS_ROOM = 1.05;
const FEW_STARTS = 4;
const TOLD_ABOVE = 1.15;
const FAILS_ABOVE = 1.4;

/** What a tier took, or may take. */
export interface TierCost {
  /** Processor time of everything, divided by that of a calibration beside it. */
  readonly calibrations: number;
  readonly starts: Starts;
  /** By file, the starts of files that have any. */
  readonly files: Readonly<Record<string, Starts>>;
}

export interface Judgement {
  /** Lines for the reader. */
  readonly told: readonly string[];
  readonly fails: boolean;
}

const rounded = (ratio: number) => `${Math.round(ratio * 100)} %`;

/** Compares what a tier took with what it may take. */
export function judge(cost: TierCost, budget: TierCost): Judgement {
  const ratio = cost.calibrations / budget.calibrations;
  const told = [
    `budget: ${cost.calibrations.toFixed(0)} of ${budget.calibrations} calibrations of processor time (${rounded(ratio)})`,
  ];
  let fails = ratio > FAILS_ABOVE;
  if (ratio > TOLD_ABOVE)
    told.push(`budget: over by more than ${rounded((fails ? FAILS_ABOVE : TOLD_ABOVE) - 1)}`);
  for (const kind of START_KINDS) {
    const started = cost.starts[kind] ?? 0;
    const allowed = budget.starts[kind] ?? 0;
    const isOver = started > Math.max(allowed * STARTS_ROOM, allowed + FEW_STARTS);
    told.push(`budget: ${kind}: ${started} starts of ${allowed}${isOver ? ', which fails the run' : ''}`);
    if (!isOver) continue;
    fails = true;
    for (const [file, starts] of Object.entries(cost.files)) {
      const before = budget.files[file]?.[kind] ?? 0;
      const now = starts[kind] ?? 0;
      if (now > before) told.push(`budget:   ${file}: ${now}, before ${before}`);
    }
  }
  return { told, fails };
}

type Budget = Record<string, TierCost>;
const readBudget = (): Budget => JSON.parse(readFileSync(BUDGET, 'utf8'));

/** Null: none was recorded. */
export const budgetOf = (tier: string): TierCost | null => readBudget()[tier] ?? null;

/** Makes what a tier took its budget. */
export function recordBudget(tier: string, { calibrations, starts, files }: TierCost): void {
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  const budget = {
    ...readBudget(),
    [tier]: { calibrations: Math.round(calibrations), starts, files: sorted },
  };
  writeFileSync(BUDGET, `${JSON.stringify(budget, null, 2)}\n`);
}

/** The sum of all starts. */
export function addStarts(all: readonly Starts[]): Starts {
  const sum: Starts = {};
  for (const starts of all) {
    for (const kind of START_KINDS) {
      const more = starts[kind];
      if (more !== undefined) sum[kind] = (sum[kind] ?? 0) + more;
    }
  }
  return sum;
}
