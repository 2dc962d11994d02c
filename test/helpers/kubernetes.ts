import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.ts';
import { ROOT } from './repository.ts';

/** An object of the API of Kubernetes, as far as tests look at it without a type. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/** The module of kubernetes-types of each API that we use. */
const MODULES: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
};

/** The part of the API of the Prometheus Operator that we use, which is not among the types. */
const SERVICE_MONITOR = `interface ServiceMonitor { apiVersion: string; kind: string; metadata: { name: string; labels: Record<string, string> };
  spec: { selector: { matchLabels: Record<string, string> }; endpoints: { port: string; path: string; interval: string;
    authorization: { credentials: { name: string; key: string } } }[] } }`;

/**
 * What the types of the API of Kubernetes say is wrong with objects: members that they do not have, or lack, and values of
 * another type. Empty: nothing. The compiler checks them as literals, because JSON schemas of Kubernetes allow any member.
 */
export async function kubernetesProblems(objects: readonly KubeObject[]): Promise<string> {
  const parent = join(ROOT, 'node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'kubernetes-'));
  try {
    const lines = objects.map((object, index) => {
      const module = MODULES[object.apiVersion];
      const type = module === undefined ? object.kind : `import('kubernetes-types/${module}').${object.kind}`;
      return `export const o${index}: ${type} = ${JSON.stringify(object)};`;
    });
    writeFileSync(join(folder, 'objects.ts'), [SERVICE_MONITOR, ...lines].join('\n'));
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--types',
      '',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
    ];
    const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const { stdout } = await runChild(process.execPath, [compiler, ...options, join(folder, 'objects.ts')], {
      cwd: folder,
      env: process.env,
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
