import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { type KubeObject, kubernetesProblems } from '../helpers/kubernetes.ts';
import { problemsWithVariables, unknownVariables } from '../helpers/our-variables.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const objectsOf = (path: string) =>
  parseAllDocuments(read(path)).map((document) => document.toJS() as KubeObject);

describe('compose.cluster.yaml', () => {
  interface ComposeService {
    readonly image: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly depends_on?: Readonly<Record<string, { condition: string }>> | readonly string[];
    readonly deploy?: { readonly replicas: number };
    readonly read_only?: boolean;
    readonly cap_drop?: readonly string[];
    readonly stop_grace_period?: string;
    readonly configs?: readonly { source: string }[];
    readonly volumes?: readonly string[];
  }
  const text = read('compose.cluster.yaml');
  const { services, configs, volumes } = parse(text, { merge: true }) as {
    services: Readonly<Record<string, ComposeService>>;
    configs: Readonly<Record<string, { content: string }>>;
    volumes: Readonly<Record<string, unknown>>;
  };
  const ours = Object.entries(services).filter(([, { image }]) => image === 'sluice');

  test('has replicas for the API and workers, and one that migrates before them', () => {
    assert.deepEqual(ours.map(([name]) => name).sort(), ['api', 'migrate', 'worker']);
    for (const role of ['api', 'worker']) {
      const { environment, deploy, depends_on } = services[role]!;
      assert.equal(environment!.SLUICE_ROLE, role);
      assert.ok(deploy!.replicas > 1);
      assert.deepEqual(depends_on, { migrate: { condition: 'service_completed_successfully' } });
    }
  });

  test('sets variables that there are, also in its comments', () => {
    const named = ours.flatMap(([, { environment = {} }]) => Object.keys(environment));
    assert.deepEqual(
      unknownVariables([...named, ...text.matchAll(/\bSLUICE_\w+/g).map(([name]) => name)]),
      [],
    );
  });

  test('sets values that Sluice accepts', () => {
    for (const [name, { environment = {} }] of ours) {
      const env = Object.entries(environment).map(([variable, value]) => {
        const asSecret = /^\$\{\w+:\?/.test(value) || value.includes('${POSTGRES_PASSWORD');
        return [variable, asSecret ? null : value.replace(/\$\{\w+:-(.*)\}/, '$1')] as const;
      });
      assert.deepEqual(problemsWithVariables(Object.fromEntries(env)), [], name);
    }
  });

  test('gives nobody more rights or less time than he needs', () => {
    for (const [name, service] of ours) {
      assert.ok(service.read_only, name);
      assert.deepEqual(service.cap_drop, ['ALL'], name);
      const drain = Number(service.environment!.SLUICE_DRAIN_SECONDS);
      assert.ok(drain >= 300 && Number.parseInt(service.stop_grace_period!, 10) >= drain + 30, name);
    }
    assert.ok(ours.every(([, { environment }]) => /\$\{\w+:\?/.test(environment!.SLUICE_ENCRYPTION_KEY!)));
  });

  test('names nothing that is not there', () => {
    for (const { depends_on = [], configs: used = [], volumes: mounted = [] } of Object.values(services)) {
      for (const name of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on))
        assert.ok(name in services, name);
      for (const { source } of used) assert.ok(source in configs, source);
      for (const mount of mounted) assert.ok(mount.split(':')[0]! in volumes, mount);
    }
    // The load balancer sends to a service by its name.
    assert.match(configs.caddy!.content, /dynamic a api 8080/);
  });
});

describe('deploy/kubernetes', () => {
  test('has the shapes of the API of Kubernetes', async () => {
    const objects = [
      ...objectsOf('deploy/kubernetes/sluice.yaml'),
      ...objectsOf('deploy/kubernetes/secrets.example.yaml'),
    ];
    assert.ok(objects.length >= 6);
    assert.equal(await kubernetesProblems(objects), '');
  });

  test('its shapes are checked', async () => {
    const objects = objectsOf('deploy/kubernetes/sluice.yaml');
    const wrong = JSON.parse(
      JSON.stringify(objects)
        .replace('"readinessProbe"', '"readynessProbe"')
        .replace('"maxSkew":1', '"maxSkew":"1"'),
    );
    const problems = await kubernetesProblems(wrong);
    assert.match(problems, /'"readynessProbe"' does not exist/);
    assert.match(problems, /'string' is not assignable to type 'number'/);
  });

  test('the Secrets have the keys that the manifests use', () => {
    const used = new Map<string, Set<string>>();
    const pattern = /secretKeyRef: \{ name: "?([\w-]+)"?, key: ([\w-]+)/g;
    for (const [, name, key] of read('deploy/kubernetes/sluice.yaml').matchAll(pattern))
      used.set(name!, (used.get(name!) ?? new Set()).add(key!));
    const example = read('deploy/kubernetes/secrets.example.yaml');
    assert.deepEqual([...used.keys()].sort(), ['sluice', 'sluice-database']);
    for (const key of [...used.values()].flatMap((keys) => [...keys]))
      assert.ok(example.includes(` ${key}:`), key);
  });
});

describe('the values of the Helm chart', () => {
  const schema = JSON.parse(read('deploy/helm/sluice/values.schema.json'));
  const validate = new Ajv({ allErrors: true, strict: true, strictRequired: false }).compile(schema);
  const values = () => parse(read('deploy/helm/sluice/values.yaml'));

  test('are those of the schema', () => {
    assert.ok(validate(values()), JSON.stringify(validate.errors));
  });

  const wrong: [what: string, change: (values: ReturnType<typeof parse>) => void][] = [
    ['an unknown role', (all) => (all.roles.wroker = all.roles.worker)],
    ['no Secret for the database', (all) => (all.database.existingSecret = '')],
    ['a Secret with the URL itself', (all) => (all.database.existingSecret = 'postgres://a:b@c/d')],
    ['a number as the value of a variable', (all) => (all.env = { SLUICE_RETENTION_DAYS: 30 })],
    ['a variable that is no name', (all) => (all.env = { 'retention days': '30' })],
    ['shared memory without a unit', (all) => (all.roles.worker.sharedMemory = '1000')],
    ['an unknown member', (all) => (all.networkPolicy.enable = true)],
  ];
  for (const [what, change] of wrong)
    test(`${what} is refused`, () => {
      const all = values();
      change(all);
      assert.ok(!validate(all));
    });
});

describe('deploy/prometheus/adapter.yaml', () => {
  test('gives the measures that the chart scales by', () => {
    const { rules } = parse(read('deploy/prometheus/adapter.yaml')) as {
      rules: Record<'custom' | 'external', readonly { seriesQuery: string; name: { as: string } }[]>;
    };
    const template = read('deploy/helm/sluice/templates/horizontalpodautoscaler.yaml');
    const given = [...rules.custom, ...rules.external].map(({ name }) => name.as).sort();
    const asked = [...template.matchAll(/metric: \{ name: (\w+) \}/g)].map(([, name]) => name!).sort();
    assert.deepEqual(given, asked);
    for (const { seriesQuery, name } of [...rules.custom, ...rules.external])
      assert.ok(seriesQuery.startsWith(`${name.as}{`));
  });
});
