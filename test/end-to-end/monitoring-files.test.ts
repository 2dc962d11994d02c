import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { OUTCOMES } from '../../src/domain/scrape.ts';
import { metricsOf } from '../helpers/promql.ts';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { startBatch } from './job-calls.ts';

const read = (path: string) => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const rules = parse(read('prometheus/alerts.yaml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
) as Rule[];
const { panels, templating } = JSON.parse(read('grafana/sluice.json')) as {
  panels: readonly Panel[];
  templating: { list: readonly { name: string; definition?: string }[] };
};
/** Grafana puts these in before it asks Prometheus. */
const withVariables = (expr: string) =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');

/** Labels that Prometheus adds to every metric. */
const ADDED = ['instance', 'job', 'le'];

describe('dashboard of Grafana and alerts of Prometheus', () => {
  const site = useSite();
  const dir = mkdtempSync(join(tmpdir(), 'sluice-monitoring-'));
  writeFileSync(join(dir, 'prices.json'), JSON.stringify({ currency: 'EUR', scrapers: { http: 0.0001 } }));
  // Nothing listens there.
  const vendor = {
    name: 'down',
    kind: 'flaresolverr',
    base_url: 'http://127.0.0.1:1',
    price: { per_request: 0.001 },
  };
  writeFileSync(join(dir, 'vendors.json'), JSON.stringify({ vendors: [vendor] }));
  const service = useOwnService({
    SLUICE_JOB_CONCURRENCY: '1',
    SLUICE_PRICES: join(dir, 'prices.json'),
    SLUICE_VENDORS: join(dir, 'vendors.json'),
  });
  after(() => rmSync(dir, { recursive: true, force: true }));
  /** Metric → its labels. */
  const metrics = new Map<string, Set<string>>();
  before(async () => {
    await service.scrape({ url: `${site.url}/text`, scraper: 'browser' });
    await service.scrape({ url: 'not a URL' });
    await service.scrape({ url: `${site.url}/text`, scraper: 'vendor:down' });
    const text = await (await fetch(`${service.base}/metrics`)).text();
    for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
      const parts = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      for (const part of parts) metrics.set(name! + part, new Set(ADDED));
    }
    for (const [, name, labels] of text.matchAll(/^(\w+)\{(.*)\} /gm))
      for (const [, label] of labels!.matchAll(/(\w+)="/g)) metrics.get(name!)!.add(label!);
  });

  const check = (expr: string) => {
    const named = metricsOf(withVariables(expr));
    assert.ok(named.length > 0, expr);
    for (const { name, labels, values } of named) {
      // Prometheus itself makes this one.
      if (name === 'up') continue;
      const known = metrics.get(name);
      assert.ok(known, `${name} is no metric of the service: ${expr}`);
      for (const label of labels) assert.ok(known.has(label), `${name} has no label ${label}: ${expr}`);
      for (const [label, value] of values) {
        if (label === 'outcome')
          assert.ok((OUTCOMES as readonly string[]).includes(value), `${value}: ${expr}`);
        if (label === 'http_status') assert.match(value, /^[2-5]xx$/);
      }
    }
    return named;
  };

  test('every alert names metrics and labels that there are, and says what to do', () => {
    assert.ok(rules.length >= 10);
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const { expr, labels, annotations } of rules) {
      check(expr);
      assert.ok(['critical', 'warning'].includes(labels.severity));
      assert.ok(annotations.summary.length > 10 && annotations.description.length > 20);
    }
  });

  test('every panel names metrics and labels that there are, also in its legend', () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const queries = panels.flatMap(({ targets = [] }) => targets);
    assert.ok(queries.length > 30);
    for (const { expr, legendFormat } of queries) {
      const labels = check(expr).flatMap((metric) => metric.labels);
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        assert.ok(labels.includes(label!), `${label} is not in the result of ${expr}`);
    }
    for (const { name, definition } of templating.list)
      if (name !== 'datasource')
        assert.ok(metrics.has(/label_values\((\w+), instance\)/.exec(definition!)![1]!));
  });

  test('no panel lies on another one', () => {
    const taken = new Set<string>();
    for (const { gridPos, title } of panels)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(x < 24 && !taken.has(`${x} ${y}`), title);
          taken.add(`${x} ${y}`);
        }
  });

  test('the measures for autoscaling are there', () => {
    for (const name of ['sluice_browser_waiting', 'sluice_jobs_ready', 'sluice_scrapes_in_flight'])
      assert.ok(metrics.has(name), name);
  });

  test('sluice_jobs_ready counts the items that wait', async () => {
    const ready = async () =>
      Number(/^sluice_jobs_ready (\d+)$/m.exec(await (await fetch(`${service.base}/metrics`)).text())![1]);
    assert.equal(await ready(), 0);
    const requests = Array.from({ length: 5 }, (_, n) => ({ url: `${site.url}/hang?${n}`, scraper: 'http' }));
    const id = await startBatch(service, { requests });
    // One of the five runs.
    await eventually(async () => (await ready()) === 4);
    assert.equal((await service.api('DELETE', `/api/v1/jobs/${id}/`)).status, 204);
    await eventually(async () => (await ready()) === 0);
  });
});

describe('what an expression of PromQL names', () => {
  test('metrics, labels and values', () => {
    assert.deepEqual(metricsOf('sum by (a) (rate(b_total{c="d", e=~"f"}[5m])) / g'), [
      { name: 'b_total', labels: ['a', 'c', 'e'], values: [['c', 'd']] },
      { name: 'g', labels: [], values: [] },
    ]);
    assert.throws(() => metricsOf('sum(rate(a[5m])'), /not PromQL/);
  });
});
