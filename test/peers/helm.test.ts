// The Helm chart of docs/examples/helm: its values against its schema, and, where helm is installed, what it makes of
// them: what an operator relies on when pods are stopped, moved and asked whether they are well. With the schemas of
// Kubernetes (`pip install kubernetes-validate==1.37.0`; KUBERNETES_VALIDATE names the program) each resource, too.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Compile } from 'typebox/schema';
import { parse, parseAllDocuments } from 'yaml';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';

const CHART = new URL('../../docs/examples/helm/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, CHART), 'utf8');
const schema = Compile(JSON.parse(read('values.schema.json')));
const isValid = (values: Values): boolean => schema.Check(values);
const templates = globSync('templates/*.yaml', { cwd: CHART }).map(read).join('\n');

const SECRETS = ['DATABASE_URL', 'SEALING_KEY', 'JWT_SECRET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
/** Values that an operator must give. */
const NEEDED = {
  publicHost: 'voice.example.com',
  objectStore: { endpoint: 'https://store.example.com' },
  secrets: { values: Object.fromEntries(SECRETS.map((name) => [name, `${name} value`])) },
};
const FULL = {
  ...NEEDED,
  env: { LOG_LEVEL: 'warn' },
  engine: {
    replicas: 3,
    drainSeconds: 600,
    externalIps: ['203.0.113.1', '203.0.113.2', '203.0.113.3'],
    edge: { address: 'sip.example.com:5060', proxies: '10.0.0.5' },
    env: { LOG_LEVEL: 'debug' },
  },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls' },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
};

type Values = Record<string, unknown>;

const merged = (base: Values, over: Values): Values => {
  const result = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = result[key];
    const isMap = (one: unknown): one is Values => typeof one === 'object' && one !== null && !Array.isArray(one);
    result[key] = isMap(before) && isMap(value) ? merged(before, value) : value;
  }
  return result;
};
const DEFAULTS = parse(read('values.yaml')) as Values;

test('the schema takes the defaults with what an operator must say, and refuses mistakes', () => {
  for (const values of [NEEDED, FULL]) assert.ok(isValid(merged(DEFAULTS, values)));
  assert.equal(isValid(DEFAULTS), false, 'publicHost and the object store have no default');
  const mistakes: Values[] = [
    { engine: { replicas: 0 } },
    { engine: { replica: 2 } },
    { engine: { sipPort: '5060' } },
    { engine: { externalIps: ['$(reboot)'] } },
    { env: { LOG_LEVEL: 1 } },
    { env: { 'log-level': 'info' } },
    { publicHost: 'https://voice.example.com' },
    { objectStore: { endpoint: 'store.example.com' } },
  ];
  for (const mistake of mistakes) {
    assert.equal(isValid(merged(merged(DEFAULTS, NEEDED), mistake)), false, JSON.stringify(mistake));
  }
});

test('each variable that the templates set is one of the service', () => {
  const documented = readFileSync(new URL('../../configuration.md', CHART), 'utf8');
  const names = [...(templates + read('templates/_helpers.tpl')).matchAll(/(?:^ +"|name: )([A-Z][A-Z0-9_]{3,})\b/gm)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('POD_'));
  assert.ok(names.length > 20);
  for (const name of names) assert.match(documented, new RegExp(`\`[^|]*\\b${name}\\b`), name);
});

test('each value that the templates read has a default, and each default is read', () => {
  const paths = (values: Values, prefix = ''): string[] =>
    Object.entries(values).flatMap(([key, value]) => {
      const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
      const isOpen = /(^|\.)(env|values|annotations|mediaAnnotations|labels|resources|nodeSelector)$/.test(
        prefix + key,
      );
      return isGroup && !isOpen ? paths(value as Values, `${prefix}${key}.`) : [prefix + key];
    });
  const all = templates + read('templates/_helpers.tpl') + read('templates/NOTES.txt');
  const used = new Set([...all.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path));
  assert.deepEqual([...used].sort(), paths(DEFAULTS).sort());
});

const skip = spawnSync('helm', ['version', '--short']).status !== 0 && 'helm is not installed';

interface Container {
  args: string[];
  command?: string[];
  env: Array<{ name: string; value?: string }>;
  envFrom: Array<{ secretRef: { name: string } }>;
  ports: Array<{ name: string }>;
  readinessProbe: { httpGet?: { path: string }; tcpSocket?: object };
  livenessProbe: { httpGet?: { path: string }; tcpSocket?: object };
  volumeMounts: Array<{ name: string; mountPath: string }>;
}

interface PodSpec {
  hostNetwork?: boolean;
  terminationGracePeriodSeconds: number;
  containers: [Container];
}

interface Resource {
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  spec: {
    replicas?: number;
    maxUnavailable?: number;
    selector?: Record<string, unknown> & { matchLabels?: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    ports?: Array<{ name: string; targetPort?: string }>;
    rules?: Array<{ http: { paths: Array<{ path: string; backend: { service: { name: string } } }> } }>;
    volumeClaimTemplates?: Array<{ metadata: { name: string } }>;
  };
  stringData?: Record<string, string>;
}

/** Without a cluster helm takes the version that it was built for, and a build from source an old one. */
const CLUSTER = ['--kube-version', '1.34.0', '--api-versions', 'monitoring.coreos.com/v1'];
/** The oldest version that the chart takes, and newer ones. */
const VERSIONS = ['1.25.2', '1.28.3', '1.31.0', '1.34.1', '1.37.0'];

function render(values: Values): { resources: Resource[]; error: string } {
  const file = join(temporaryFolder('voice-helm'), 'values.json');
  writeFileSync(file, JSON.stringify(values));
  const args = ['template', 'voice', CHART.pathname, '--values', file, ...CLUSTER];
  const { status, stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8' });
  if (status !== 0) return { resources: [], error: stderr };
  const documents = parseAllDocuments(stdout).flatMap((document) => {
    assert.deepEqual(document.errors, []);
    const resource = document.toJS() as Resource | null;
    return resource === null ? [] : [resource];
  });
  return { resources: documents, error: '' };
}

function only(resources: readonly Resource[], kind: string, name = ''): Resource {
  const found = resources.filter((each) => each.kind === kind && each.metadata.name.endsWith(name));
  const [one] = found;
  assert.ok(one && found.length === 1, `${found.length} of ${kind} ${name}`);
  return one;
}

const variable = ({ spec }: Resource, name: string): string | undefined =>
  spec.template.spec.containers[0].env.find((each) => each.name === name)?.value;

test('engines are pods with a disk and the network of their node, which may drain', { skip }, () => {
  const { resources } = render(FULL);
  const engine = only(resources, 'StatefulSet');
  const { hostNetwork, terminationGracePeriodSeconds, containers } = engine.spec.template.spec;
  assert.deepEqual([hostNetwork, terminationGracePeriodSeconds, engine.spec.replicas], [true, 620, 3]);
  assert.equal(variable(engine, 'DRAIN_SECONDS'), '600');
  assert.deepEqual(
    engine.spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name),
    ['data'],
  );
  assert.ok(containers[0].volumeMounts.some(({ name, mountPath }) => name === 'data' && mountPath === '/data'));
  assert.equal(variable(engine, 'DATA_DIR'), '/data');
  assert.equal(variable(engine, 'MEDIA_WS_PUBLIC_URL'), 'wss://voice.example.com/media/$(POD_NAME)');
  assert.equal(variable(engine, 'LOG_LEVEL'), 'debug');
  // A probe that asked the database would have engines killed, with their calls, for an outage of PostgreSQL.
  for (const probe of [containers[0].livenessProbe, containers[0].readinessProbe]) assert.ok(probe.tcpSocket);
  assert.equal(only(resources, 'PodDisruptionBudget', 'engine').spec.maxUnavailable, 1);
});

test('each engine has its own external address, and none starts without one', { skip }, () => {
  const { resources } = render(FULL);
  const { command, args } = only(resources, 'StatefulSet').spec.template.spec.containers[0];
  const [program = '', ...options] = command ?? [];
  const started = (pod: string) => {
    const script = args[0]?.replace(/exec node .*/, 'echo "$EXTERNAL_IP"') ?? '';
    return spawnSync(program, [...options, script], { encoding: 'utf8', env: { POD_NAME: pod } });
  };
  assert.equal(started('voice-engine-0').stdout.trim(), '203.0.113.1');
  assert.equal(started('voice-engine-2').stdout.trim(), '203.0.113.3');
  assert.equal(started('voice-engine-3').status, 2);
  const { resources: plain } = render(NEEDED);
  assert.deepEqual(only(plain, 'StatefulSet').spec.template.spec.containers[0].args, ['run', 'engine/main.ts']);
});

test('an API is asked by /healthz, so that its dashboard still says why no engine is there', { skip }, () => {
  const { resources } = render(FULL);
  const api = only(resources, 'Deployment');
  const [container] = api.spec.template.spec.containers;
  for (const probe of [container.readinessProbe, container.livenessProbe])
    assert.equal(probe.httpGet?.path, '/healthz');
  assert.equal(variable(api, 'LOG_LEVEL'), 'warn');
  assert.equal(variable(api, 'TRUST_PROXY'), undefined, 'an empty value is not set');
});

test('each selector finds the pods that it means, and every port that is named exists', { skip }, () => {
  const { resources } = render(FULL);
  const pods = ['StatefulSet', 'Deployment'].map((kind) => only(resources, kind).spec.template);
  for (const { kind, metadata, spec } of resources) {
    if (spec?.selector === undefined || kind === 'ServiceMonitor') continue;
    const wanted = Object.entries(spec.selector.matchLabels ?? spec.selector).filter(
      ([label]) => label !== 'statefulset.kubernetes.io/pod-name',
    );
    const found = pods.filter(({ metadata: { labels } }) => wanted.every(([label, value]) => labels[label] === value));
    assert.equal(found.length, 1, `${kind} ${metadata.name}`);
    const names = found[0]?.spec.containers[0].ports.map(({ name }) => name) ?? [];
    for (const { targetPort } of spec.ports ?? []) {
      if (targetPort !== undefined) assert.ok(names.includes(targetPort), `${metadata.name} ${targetPort}`);
    }
  }
});

test('the ingress leads to the APIs, and to each engine by the name of its pod', { skip }, () => {
  const { resources } = render(FULL);
  const services = resources.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
  const paths = resources
    .filter(({ kind }) => kind === 'Ingress')
    .flatMap(({ spec }) => spec.rules?.flatMap(({ http }) => http.paths) ?? []);
  assert.equal(paths.length, 4);
  for (const { backend } of paths) assert.ok(services.includes(backend.service.name), backend.service.name);
  const engine = only(resources, 'StatefulSet').metadata.name;
  for (const index of [0, 1, 2]) assert.ok(paths.some(({ path }) => path.startsWith(`/media/${engine}-${index}(`)));
  const { resources: plain } = render(NEEDED);
  assert.ok(!plain.some(({ kind }) => ['Ingress', 'ServiceMonitor'].includes(kind)));
});

test('secrets are those that are named, or made of values that must all be there', { skip }, () => {
  const { resources } = render(NEEDED);
  const secret = only(resources, 'Secret');
  assert.deepEqual(Object.keys(secret.stringData ?? {}).sort(), [...SECRETS].sort());
  for (const kind of ['StatefulSet', 'Deployment']) {
    const { envFrom } = only(resources, kind).spec.template.spec.containers[0];
    assert.deepEqual(envFrom, [{ secretRef: { name: secret.metadata.name } }]);
  }
  const named = render({ ...NEEDED, secrets: { existing: 'mine' } });
  assert.ok(!named.resources.some(({ kind }) => kind === 'Secret'));
  assert.equal(only(named.resources, 'Deployment').spec.template.spec.containers[0].envFrom[0]?.secretRef.name, 'mine');
  const { DATABASE_URL: _, ...others } = NEEDED.secrets.values;
  assert.match(render({ ...NEEDED, secrets: { values: others } }).error, /set secrets\.values\.DATABASE_URL/);
});

const validator = process.env.KUBERNETES_VALIDATE ?? 'kubernetes-validate';
const cannotValidate = skip || (spawnSync(validator, ['--version']).status !== 0 && `${validator} is not installed`);

test('each resource fits the schemas of Kubernetes, of five versions', { skip: cannotValidate }, () => {
  const folder = temporaryFolder('voice-helm');
  const values = join(folder, 'values.json');
  writeFileSync(values, JSON.stringify({ ...FULL, serviceMonitor: { enabled: false } }));
  for (const version of VERSIONS) {
    const args = ['template', 'voice', CHART.pathname, '--values', values, '--kube-version', version];
    const { stdout, stderr } = spawnSync('helm', args, { encoding: 'utf8' });
    const file = join(folder, `${version}.yaml`);
    writeFileSync(file, stdout);
    const checked = spawnSync(validator, ['--strict', '--kubernetes-version', version, file], { encoding: 'utf8' });
    assert.equal(checked.status, 0, `${version}: ${stderr}${checked.stdout}${checked.stderr}`);
    assert.match(checked.stdout, /StatefulSet|passed|valid/i);
  }
});
