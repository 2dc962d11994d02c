import { parser } from '@prometheus-io/lezer-promql';

/** What a PromQL expression names. */
export interface NamedMetric {
  readonly name: string;
  /** Labels that it selects or groups by. */
  readonly labels: readonly string[];
  /** Label and value of each `label="value"`. */
  readonly values: readonly (readonly [label: string, value: string])[];
}

/**
 * The metrics of an expression, by the grammar of Prometheus. Labels of `by (…)` count for all metrics of the aggregation.
 * Throws if the expression has an error.
 */
export function metricsOf(expression: string): NamedMetric[] {
  const metrics: { name: string; labels: string[]; values: [string, string][] }[] = [];
  const groups: { until: number; labels: string[] }[] = [];
  let label = '';
  parser.parse(expression).iterate({
    enter({ type, from, to, node }) {
      const text = expression.slice(from, to);
      if (type.isError) throw new Error(`not PromQL at ${from}: ${expression}`);
      if (type.name === 'AggregateExpr') {
        const labels = node.getChild('AggregateModifier')?.getChild('GroupingLabels');
        const names = labels?.getChildren('LabelName') ?? [];
        groups.push({ until: to, labels: names.map((name) => expression.slice(name.from, name.to)) });
      } else if (type.name === 'VectorSelector') {
        const outer = groups.filter(({ until }) => until >= to).flatMap(({ labels }) => labels);
        metrics.push({ name: /^[\w:]*/.exec(text)![0], labels: outer, values: [] });
      } else if (type.name === 'UnquotedLabelMatcher') {
        const [name, , value] = /^\s*(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/.exec(text)!.slice(1);
        label = name!;
        metrics.at(-1)!.labels.push(label);
        if (/^\w+\s*=\s*"/.test(text)) metrics.at(-1)!.values.push([label, value!]);
      }
    },
  });
  return metrics;
}
