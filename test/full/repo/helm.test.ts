import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { describe, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { helm, noHelm } from '../../helpers/helm.ts';
import { type KubeObject, kubernetesProblems } from '../../helpers/kubernetes.ts';
import { problemsWithVariables, unknownVariables } from '../../helpers/our-variables.ts';
import { startService, TEST_KEY } from '../../helpers/service.ts';
import { startSite } from '../../site/site.ts';

interface Container {
  readonly name: string;
  readonly args?: readonly string[];
  readonly env: readonly { name: string; value?: string; valueFrom?: object }[];
  readonly securityContext: {
    readonly runAsNonRoot: boolean;
    readonly readOnlyRootFilesystem: boolean;
    readonly allowPrivilegeEscalation: boolean;
    readonly capabilities: { readonly drop: readonly string[] };
  };
  readonly volumeMounts: readonly { name: string; mountPath: string }[];
  readonly resources: { readonly limits: { readonly memory: string } };
}
interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly terminationGracePeriodSeconds: number;
    readonly automountServiceAccountToken: boolean;
    readonly enableServiceLinks: boolean;
    readonly initContainers?: readonly Container[];
    readonly containers: readonly Container[];
    readonly volumes: readonly { name: string; emptyDir: { medium?: string; sizeLimit?: string } }[];
    readonly topologySpreadConstraints: readonly { topologyKey: string }[];
  };
}
interface Deployment extends KubeObject {
  readonly spec: { readonly replicas?: number; readonly template: Pod };
}
interface Rule {
  readonly to?: readonly { ipBlock?: { cidr: string; except: readonly string[] }; podSelector?: object }[];
}

const SPLIT = ['--set', 'roles.all.enabled=false,roles.api.enabled=true,roles.worker.enabled=true'];
const ALL_ON = [
  ...SPLIT,
  ...['--set', 'roles.api.autoscaling.enabled=true,roles.worker.autoscaling.enabled=true'],
  ...[
    '--set',
    'redis.existingSecret=my-redis,s3.bucket=pages,s3.endpoint=https://s3.example.com,s3.existingSecret=my-s3',
  ],
  ...[
    '--set',
    'serviceMonitor.enabled=true,ingress.enabled=true,ingress.tlsSecret=my-tls,ingress.className=nginx',
  ],
  ...[
    '--set',
    'baseUrl=https://sluice.example.com,trustedProxies=uniquelocal,podAnnotations.a=b,nodeSelector.c=d',
  ],
  ...['--set-string', 'env.SLUICE_RETENTION_DAYS=30,roles.worker.env.SLUICE_BROWSER_SLOTS=6'],
  ...[
    '--set',
    'networkPolicy.ingressFrom[0].namespaceSelector.matchLabels.name=ingress,tolerations[0].operator=Exists',
  ],
  ...['--set', 'files.existingSecret=my-files,remoteBrowsers.enabled=true'],
  ...['--set', 'extraEnv[0].name=OTEL_EXPORTER_OTLP_ENDPOINT,extraEnv[0].value=http://collector:4318'],
];

async function render(options: readonly string[] = []): Promise<KubeObject[]> {
  const { ok, stdout, stderr } = await helm(['template', 'sluice'], options);
  assert.ok(ok, stderr);
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
}

const ofKind = <T extends KubeObject>(objects: readonly KubeObject[], kind: string): T[] =>
  objects.filter((object) => object.kind === kind) as T[];
const deploymentsOf = (objects: readonly KubeObject[]) => ofKind<Deployment>(objects, 'Deployment');
const containersOf = ({ spec }: Pod) => [...(spec.initContainers ?? []), ...spec.containers];
const textOf = (container: Container, name: string) => container.env.find((one) => one.name === name)?.value;

describe('the Helm chart', { skip: noHelm }, () => {
  test('passes helm lint, with all that can be switched on too', async () => {
    for (const options of [[], SPLIT, ALL_ON]) {
      const { ok, stdout } = await helm(['lint', '--strict'], options);
      assert.ok(ok, stdout);
    }
  });

  test('gives objects with the shapes of the API of Kubernetes, and unique names', async () => {
    const all = [await render(), await render(SPLIT), await render(ALL_ON)];
    for (const objects of all) {
      const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      assert.equal(new Set(names).size, names.length, String(names));
    }
    assert.equal(await kubernetesProblems(all.flat()), '');
  });

  test('gives deploy/kubernetes/sluice.yaml', async () => {
    const { stdout } = await helm(['template', 'sluice'], ['--skip-tests']);
    const file = readFileSync(new URL('../../../deploy/kubernetes/sluice.yaml', import.meta.url), 'utf8');
    assert.equal(file.slice(file.indexOf('---\n')), stdout, 'run deploy/kubernetes/make.sh');
  });

  test('has a Deployment for each role, which migrates first', async () => {
    const roles = async (options: readonly string[]) =>
      deploymentsOf(await render(options)).map(({ spec }) =>
        textOf(spec.template.spec.containers[0]!, 'SLUICE_ROLE'),
      );
    assert.deepEqual(await roles([]), ['all']);
    assert.deepEqual((await roles(SPLIT)).sort(), ['api', 'worker']);
    for (const { spec } of deploymentsOf(await render(ALL_ON)))
      assert.deepEqual(
        spec.template.spec.initContainers!.map(({ args }) => args),
        [['migrate']],
      );
  });

  test('runs nothing as root, writes to nothing but its volumes, and ends in time', async () => {
    const objects = await render(ALL_ON);
    const pods: Pod[] = [
      ...deploymentsOf(objects).map(({ spec }) => spec.template),
      ...ofKind<KubeObject & Pod>(objects, 'Pod'),
    ];
    assert.equal(pods.length, 3);
    for (const pod of pods) {
      assert.equal(pod.spec.automountServiceAccountToken, false);
      assert.equal(pod.spec.enableServiceLinks, false);
      for (const container of containersOf(pod)) {
        const { runAsNonRoot, readOnlyRootFilesystem, allowPrivilegeEscalation, capabilities } =
          container.securityContext;
        assert.ok(runAsNonRoot && readOnlyRootFilesystem && !allowPrivilegeEscalation, container.name);
        assert.deepEqual(capabilities.drop, ['ALL']);
        assert.ok(container.resources.limits.memory);
        for (const { name } of container.volumeMounts)
          assert.ok(
            pod.spec.volumes.some((volume) => volume.name === name),
            name,
          );
      }
    }
    for (const { spec } of deploymentsOf(objects)) {
      const pod = spec.template.spec;
      assert.ok(pod.terminationGracePeriodSeconds >= 330);
      const shm = pod.volumes.find(({ name }) => name === 'shm')!;
      assert.deepEqual([shm.emptyDir.medium, typeof shm.emptyDir.sizeLimit], ['Memory', 'string']);
      assert.ok(pod.containers[0]!.volumeMounts.some(({ mountPath }) => mountPath === '/dev/shm'));
      assert.deepEqual(
        pod.topologySpreadConstraints.map(({ topologyKey }) => topologyKey),
        ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'],
      );
    }
  });

  test('sets variables that there are, and secrets only from Secrets of the operator', async () => {
    const objects = await render(ALL_ON);
    assert.deepEqual(ofKind(objects, 'Secret'), []);
    const containers = deploymentsOf(objects).flatMap(({ spec }) => containersOf(spec.template));
    const variables = containers.flatMap(({ env }) => env);
    assert.deepEqual(unknownVariables(variables.map(({ name }) => name)), []);
    const secret = /(_KEY|_SECRET|_PASSWORD|_TOKEN|_KEY_ID|DATABASE\w*_URL|REDIS_URL)$/;
    for (const { name, valueFrom } of variables)
      assert.equal(
        secret.test(name) || name === 'SLUICE_SECRET',
        valueFrom !== undefined && 'secretKeyRef' in valueFrom,
        name,
      );
    for (const name of [
      'SLUICE_DATABASE_DIRECT_URL',
      'SLUICE_REDIS_URL',
      'SLUICE_S3_BUCKET',
      'SLUICE_BASE_URL',
    ])
      for (const { env } of containers)
        assert.ok(
          env.some((one) => one.name === name),
          name,
        );
    for (const { env } of containers) {
      // Kubernetes puts the value of another variable in.
      const values = env.map(
        ({ name, value }) => [name, value?.replace('$(POD_IP)', '10.0.0.1') ?? null] as const,
      );
      assert.deepEqual(problemsWithVariables(Object.fromEntries(values)), []);
    }
    const worker = containers.find((one) => textOf(one, 'SLUICE_ROLE') === 'worker')!;
    assert.equal(textOf(worker, 'SLUICE_BROWSER_SLOTS'), '6');
    assert.equal(textOf(worker, 'OTEL_EXPORTER_OTLP_ENDPOINT'), 'http://collector:4318');
  });

  test('lets pods reach the internet and what is listed, but no private network and no metadata', async () => {
    const [policy] = ofKind<KubeObject & { spec: { egress: readonly Rule[] } }>(
      await render(),
      'NetworkPolicy',
    );
    const allows = (address: string) =>
      policy!.spec.egress
        .flatMap(({ to = [] }) => to)
        .some(({ ipBlock }) => {
          if (ipBlock === undefined || ipBlock.cidr.includes(':') !== address.includes(':')) return false;
          const family = address.includes(':') ? 'ipv6' : 'ipv4';
          const holds = (range: string) => {
            const list = new BlockList();
            const [network, bits] = range.split('/') as [string, string];
            list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
            return list.check(address, family);
          };
          return holds(ipBlock.cidr) && !ipBlock.except.some(holds);
        });
    for (const address of ['93.184.216.34', '8.8.8.8', '2606:4700::1']) assert.ok(allows(address), address);
    for (const address of [
      ...[
        '10.0.0.1',
        '172.16.5.4',
        '172.31.255.255',
        '192.168.1.1',
        '169.254.169.254',
        '100.64.0.1',
        '127.0.0.1',
      ],
      ...['::1', 'fd00::1', 'fe80::1'],
    ])
      assert.ok(!allows(address), address);
  });

  test('scales by its own measures, not by processor time alone', async () => {
    interface Scaler extends KubeObject {
      readonly spec: {
        readonly metrics: readonly { type: string; external?: { metric: { name: string } } }[];
        readonly scaleTargetRef: { readonly name: string };
      };
    }
    const objects = await render(ALL_ON);
    const [api, worker] = ofKind<Scaler>(objects, 'HorizontalPodAutoscaler');
    assert.deepEqual(
      api!.spec.metrics.map(({ type }) => type),
      ['Pods', 'Resource'],
    );
    const external = worker!.spec.metrics.flatMap(({ external }) => external?.metric.name ?? []);
    assert.deepEqual(external, ['sluice_browser_waiting', 'sluice_jobs_ready']);
    const names = deploymentsOf(objects).map(({ metadata }) => metadata.name);
    for (const { spec } of [api!, worker!]) assert.ok(names.includes(spec.scaleTargetRef.name));
    // Otherwise each upgrade would set the number back.
    for (const { spec } of deploymentsOf(objects)) assert.equal(spec.replicas, undefined);
  });

  test('sends requests to replicas that serve the API, and Prometheus to all', async () => {
    const objects = await render(ALL_ON);
    const services = ofKind<KubeObject & { spec: { selector: Record<string, string> } }>(objects, 'Service');
    const pods = [
      ...deploymentsOf(objects).map(({ spec }) => spec.template.metadata.labels),
      ...ofKind(objects, 'Pod').map(({ metadata }) => metadata.labels!),
    ];
    const reached = services.map(({ spec }) =>
      pods
        .filter((labels) => Object.entries(spec.selector).every(([name, value]) => labels[name] === value))
        .map((labels) => labels['app.kubernetes.io/component']),
    );
    assert.deepEqual(reached, [['api'], ['api', 'worker']]);
  });

  test('helm test scrapes a page with a key', async () => {
    const [pod] = ofKind<KubeObject & Pod>(await render(), 'Pod');
    assert.equal(pod!.metadata.annotations!['helm.sh/hook'], 'test');
    const { args, env } = pod!.spec.containers[0]!;
    assert.deepEqual(args, ['scrape', 'https://example.com/', '--json']);
    assert.deepEqual(env.map(({ name }) => name).sort(), ['SLUICE_KEY', 'SLUICE_URL']);
    // The same call, of a service and a page that are here.
    await using service = await startService();
    await using site = await startSite();
    const scrape = (url: string) => {
      const words = args!.map((word) => (word === 'https://example.com/' ? url : word));
      return service.cli(words, { env: { SLUICE_KEY: TEST_KEY, SLUICE_URL: service.base } });
    };
    assert.equal((await scrape(`${site.url}/text`)).code, 0);
    assert.equal((await scrape('http://127.0.0.1:1/')).code, 1);
  });

  const refused: [what: string, options: string[], message: RegExp][] = [
    ['all beside workers', ['--set', 'roles.worker.enabled=true,roles.api.enabled=true'], /either all alone/],
    [
      'workers without an API',
      ['--set', 'roles.all.enabled=false,roles.worker.enabled=true'],
      /need each other/,
    ],
    ['too little time to drain', ['--set', 'drainSeconds=400'], /terminationGracePeriodSeconds must/],
    ['a bucket without its address', ['--set', 's3.bucket=a,s3.existingSecret=b'], /s3.endpoint is needed/],
    [
      'a bucket without its Secret',
      ['--set', 's3.bucket=a,s3.endpoint=https://c'],
      /s3.existingSecret is needed/,
    ],
    [
      'remote browsers without their file',
      ['--set', 'remoteBrowsers.enabled=true'],
      /needs files.existingSecret/,
    ],
    ['no Secret', ['--set', 'secrets.existingSecret='], /secrets\/existingSecret/],
    ['a value of another type', ['--set', 'roles.all.replicas=many'], /replicas/],
    ['a value that there is not', ['--set', 'database.password=hunter2'], /password/],
  ];
  for (const [what, options, message] of refused)
    test(`${what} is refused`, async () => {
      const { ok, stderr } = await helm(['template', 'sluice'], options);
      assert.ok(!ok);
      assert.match(stderr, message);
    });
});
