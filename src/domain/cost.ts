import type { MicroUnits } from '../base/numbers.ts';
import type { ModelUse } from './json-extraction.ts';
import { type BuiltInScraper, SCRAPER_NAMES, SCRAPERS } from './scrapers.ts';
import type { VendorUse } from './vendors.ts';

/** Price of traffic through an exit. */
export interface ExitPrice {
  readonly perRequest: MicroUnits;
  /** For 10⁹ bytes, both ways together. */
  readonly perGb: MicroUnits;
}

export interface Prices {
  /** `cost_unit` in answers. */
  readonly currency: string;
  /** Price of one attempt. A scraper that is missing here has no price. */
  readonly scrapers: Readonly<Partial<Record<BuiltInScraper, MicroUnits>>>;
  /** Price of the direct connection of this host. */
  readonly direct: ExitPrice;
  /** Absent: the model has no price. */
  readonly model?: ModelPrice;
}

/** Prices of 10⁶ tokens. */
interface ModelPrice {
  readonly tokensIn: MicroUnits;
  readonly tokensOut: MicroUnits;
}

/** The calls of a model with what they cost. */
export interface PricedModelUse extends ModelUse {
  /** null: the model has no price. */
  readonly cost: MicroUnits | null;
  readonly costItems: readonly CostItem[];
}

/** `cost_unit` if no prices are configured. Costs are then null; only estimates have a value, in units of `Effort`. */
export const EFFORT_UNIT = 'effort';

/** A part of the cost of an attempt. */
export interface CostItem {
  readonly item:
    | 'scraper'
    | 'vendor'
    | 'proxy_request'
    | 'proxy_traffic'
    | 'model_tokens_in'
    | 'model_tokens_out';
  /** Attempts, requests, or bytes both ways. */
  readonly quantity: number;
  /** Of one attempt, one request, or 10⁹ bytes. */
  readonly unitPrice: MicroUnits;
  readonly cost: MicroUnits;
}

/** What an attempt cost. */
export interface Cost {
  /** The sum of `items`; null: a part of the attempt has no price. */
  readonly cost: MicroUnits | null;
  readonly items: readonly CostItem[];
}

/** What a unit of effort costs if nothing tells it: about 50 kB of residential traffic at 3 for 10⁹ bytes, in five units. */
const USUAL_UNIT_PRICE: MicroUnits = 30;

/** The price of a unit of effort, so that what vendors ask for can be compared with the effort of one's own scrapers. */
export function unitPriceOf(prices: Prices | null): MicroUnits {
  for (const name of SCRAPER_NAMES) {
    const price = prices?.scrapers[name] ?? 0;
    if (price > 0) return price / SCRAPERS[name].effort.units;
  }
  return USUAL_UNIT_PRICE;
}

const NO_ITEMS: readonly CostItem[] = Object.freeze([]);
export const UNKNOWN_COST: Cost = Object.freeze({ cost: null, items: NO_ITEMS });
export const NO_COST: Cost = Object.freeze({ cost: 0, items: NO_ITEMS });
const GB = 1e9;

/** The price of so many bytes, rounded up to a whole micro-unit. */
export function trafficCost(bytes: number, { perGb }: ExitPrice): MicroUnits {
  // Above 2⁵³ the product is rounded, by less than one part in 10¹⁵.
  return Math.ceil((bytes * perGb) / GB);
}

/**
 * The cost of an attempt that got a lease; its result does not matter. Items that are free are not listed.
 * @param exit null: the exit has no price
 * @param bytes both ways
 */
export function attemptCost(
  prices: Prices | null,
  scraper: BuiltInScraper,
  exit: ExitPrice | null,
  bytes: number,
): Cost {
  const scraperPrice = prices?.scrapers[scraper];
  if (scraperPrice === undefined || exit === null) return UNKNOWN_COST;
  const items: CostItem[] = [];
  let cost = 0;
  const add = (item: CostItem['item'], quantity: number, unitPrice: MicroUnits, price: MicroUnits) => {
    if (price === 0) return;
    items.push({ item, quantity, unitPrice, cost: price });
    cost += price;
  };
  add('scraper', 1, scraperPrice, scraperPrice);
  add('proxy_request', 1, exit.perRequest, exit.perRequest);
  add('proxy_traffic', bytes, exit.perGb, trafficCost(bytes, exit));
  return items.length === 0 ? NO_COST : { cost, items };
}

/** The cost of an attempt by a vendor. */
export const vendorCost = ({ cost }: VendorUse): Cost =>
  cost === null
    ? UNKNOWN_COST
    : cost === 0
      ? NO_COST
      : { cost, items: [{ item: 'vendor', quantity: 1, unitPrice: cost, cost }] };

const MILLION = 1e6;

/** What so many tokens cost, each part rounded up to a whole micro-unit. Parts that are free are not listed. */
export function modelItems(
  prices: Prices | null,
  { tokensIn, tokensOut }: Pick<ModelUse, 'tokensIn' | 'tokensOut'>,
): Pick<PricedModelUse, 'cost' | 'costItems'> {
  const price = prices?.model;
  if (price === undefined) return { cost: null, costItems: NO_ITEMS };
  const item = (name: CostItem['item'], quantity: number, unitPrice: MicroUnits): CostItem => {
    return { item: name, quantity, unitPrice, cost: Math.ceil((quantity * unitPrice) / MILLION) };
  };
  const items = [
    item('model_tokens_in', tokensIn, price.tokensIn),
    item('model_tokens_out', tokensOut, price.tokensOut),
  ];
  return {
    cost: items.reduce((sum, { cost }) => sum + cost, 0),
    costItems: items.filter(({ cost }) => cost > 0),
  };
}

export const pricedUse = (prices: Prices | null, use: ModelUse): PricedModelUse => ({
  ...use,
  ...modelItems(prices, use),
});

/** The cost of all attempts together; null: the cost of one is unknown. */
export function sumCosts(costs: readonly { readonly cost: MicroUnits | null }[]): MicroUnits | null {
  let sum = 0;
  for (const { cost } of costs) {
    if (cost === null) return null;
    sum += cost;
  }
  return sum;
}
