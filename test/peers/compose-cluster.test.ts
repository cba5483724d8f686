// docker-compose.cluster.yml against what the service is: several engines and APIs on one machine, whose ports must not
// meet, with everything around them.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { reservePort } from '../../bench/rig/network/reserved-port.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';

interface Service {
  image: string;
  command: string[];
  environment: Record<string, string | null>;
  hostname?: string;
  network_mode: string;
  ports?: string[];
  stop_grace_period: string;
  depends_on?: Record<string, unknown> | string[];
  healthcheck: { test: string[] };
  read_only?: boolean;
  mem_limit: string;
  volumes: string[];
}

const ROOT = new URL('../../', import.meta.url);
const FILE = 'docker-compose.cluster.yml';
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const { services }: { services: Record<string, Service> } = parse(read(FILE), { merge: true });
const ENGINES = ['engine-1', 'engine-2'];
const APIS = ['api-1', 'api-2'];
const OTHERS = ['postgres', 'store', 'kamailio', 'caddy'];
/** Settings that several on one machine must not share, or that stand for another component here. */
const ELSEWHERE =
  /^(WARM_STANDBY|API_PORT|SIP_PORT|SIP_TLS_.*|RTP_PORT_.*|MEDIA_WS_(PORT|PUBLIC_URL)|WEBRTC_PORT|CONTROL_(PORT|URL)|METRICS_PORT|TELEPHONY|DRACHTIO_.*|FREESWITCH_.*|DATABASE_DIRECT_URL|S3_PREFIX|S3_PATH_STYLE)$/;
const SECRETS = ['POSTGRES_PASSWORD', 'SEALING_KEY', 'JWT_SECRET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
const NEEDED = [...SECRETS, 'SIP_HOST', 'PUBLIC_HOST'];

function service(name: string): Service {
  const found = services[name];
  assert.ok(found, name);
  return found;
}

const settingOf = (name: string, variable: string): string => service(name).environment[variable] ?? '';

const documented = (): string[] => {
  const rows = read('docs/configuration.md').match(/^\| `[^|]+/gm) ?? [];
  return [...rows.flatMap((row) => row.match(/[A-Z][A-Z0-9_]+/g) ?? []), 'NODE_EXTRA_CA_CERTS'];
};

test('two engines and two APIs, with all that stands around them, each with a limit, a health check and a time to stop', () => {
  assert.deepEqual(Object.keys(services), [...ENGINES, ...APIS, ...OTHERS]);
  for (const [name, one] of Object.entries(services)) {
    assert.ok(one.mem_limit && one.healthcheck.test.length > 1 && one.stop_grace_period, name);
    assert.deepEqual([one.network_mode, one.ports], ['host', undefined], name);
  }
});

test('our containers are given each variable of the configuration that they may share', () => {
  const shared = documented().filter((name) => !ELSEWHERE.test(name));
  for (const name of [...ENGINES, ...APIS]) {
    const known = Object.keys(service(name).environment);
    assert.deepEqual(
      shared.filter((variable) => !known.includes(variable)),
      [],
      name,
    );
    assert.deepEqual(
      known.filter((variable) => !documented().includes(variable)),
      [],
      name,
    );
    assert.equal(service(name).read_only, true);
  }
});

test('each engine and API has a folder, a host name and ports of its own', () => {
  const all = [...ENGINES, ...APIS];
  assert.equal(new Set(all.map((name) => service(name).volumes[0])).size, all.length);
  assert.equal(new Set(all.map((name) => service(name).hostname)).size, all.length);
  const ports = [
    ...APIS.map((name) => settingOf(name, 'API_PORT')),
    ...ENGINES.flatMap((name) => ['SIP_PORT', 'MEDIA_WS_PORT', 'CONTROL_PORT'].map((port) => settingOf(name, port))),
    ...['5060', '5432', '8333', '9333', '9340', '9350', '2019'],
  ];
  assert.equal(new Set(ports).size, ports.length, ports.join(' '));
  const ranges = ENGINES.map((name) => ['RTP_PORT_MIN', 'RTP_PORT_MAX'].map((port) => Number(settingOf(name, port))));
  const [[, firstEnd = 0] = [], [secondStart = 0, end = 0] = []] = ranges;
  assert.ok(firstEnd < secondStart && end < 32_768);
});

test('what stands in front knows the ports of the engines and the APIs', () => {
  const caddy = read('docs/examples/Caddyfile.cluster');
  for (const [index, name] of ENGINES.entries()) {
    assert.match(service('kamailio').command.join(), new RegExp(`sip:%s:${settingOf(name, 'SIP_PORT')}`));
    const path = `/media/${index + 1}`;
    assert.match(settingOf(name, 'MEDIA_WS_PUBLIC_URL'), new RegExp(`${path}$`));
    assert.match(
      caddy,
      new RegExp(`${path}/\\* \\{\\s+reverse_proxy 127\\.0\\.0\\.1:${settingOf(name, 'MEDIA_WS_PORT')}`),
    );
  }
  for (const name of APIS) assert.match(caddy, new RegExp(`127\\.0\\.0\\.1:${settingOf(name, 'API_PORT')}`));
});

test('an engine may drain, and is stopped before what it writes to', () => {
  const drainSeconds = Number(/`DRAIN_SECONDS` \| `(\d+)`/.exec(read('docs/configuration.md'))?.[1]);
  for (const name of ENGINES) {
    const grace = /:-(\d+)s\}/.exec(service(name).stop_grace_period)?.[1];
    assert.ok(Number(grace) > drainSeconds + 10);
    assert.deepEqual(Object.keys(service(name).depends_on ?? {}), ['postgres', 'store', ...APIS]);
  }
});

test('every image that is fetched is named by its digest, and no secret has a default', () => {
  for (const name of OTHERS) assert.match(service(name).image, /:-[^:]+:[^:]+@sha256:[0-9a-f]{64}\}$/);
  const text = read(FILE);
  for (const name of NEEDED) {
    assert.ok(text.includes(`\${${name}:?`), name);
    assert.ok(!text.includes(`\${${name}:-`), name);
    assert.match(text, new RegExp(`^#   ${name}=`, 'm'), `${name} in the head of the file`);
  }
});

const skipCompose = spawnSync('docker-compose', ['version']).status !== 0 && 'docker-compose is not installed';

function config(environment: Record<string, string>) {
  const envFile = join(temporaryFolder('voice-compose'), 'none');
  writeFileSync(envFile, '');
  return spawnSync('docker-compose', ['--env-file', envFile, '-f', FILE, 'config'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...environment },
  });
}

const filled = Object.fromEntries(NEEDED.map((name) => [name, `${name.toLowerCase()}-value`]));

test('docker-compose reads the file, and names the variable that is missing', { skip: skipCompose }, () => {
  const { status, stdout, stderr } = config({ ...filled, LOG_LEVEL: 'warn' });
  assert.equal(status, 0, stderr);
  const { services: resolved }: { services: Record<string, Service> } = parse(stdout);
  for (const name of [...ENGINES, ...APIS]) {
    const { environment } = resolved[name] ?? service(name);
    assert.equal(environment.LOG_LEVEL, 'warn');
    assert.equal(environment.DATABASE_URL, 'postgres://voice:postgres_password-value@127.0.0.1:5432/voice');
  }
  for (const missing of NEEDED) {
    const { [missing]: _, ...others } = filled;
    const refused = config(others);
    assert.notEqual(refused.status, 0, missing);
    assert.match(refused.stderr, new RegExp(`set ${missing} ?`), missing);
  }
});

const skipKamailio = spawnSync('kamailio', ['-v']).status !== 0 && 'kamailio is not installed';

test("Kamailio's health check is answered by Kamailio, and fails without it", { skip: skipKamailio }, async () => {
  const folder = temporaryFolder('voice-kamailio');
  const port = await reservePort();
  const inContainer = (script: string): string =>
    script.replaceAll('$$', '$').replaceAll('5060', String(port)).replaceAll('/tmp', folder);
  const [command = ''] = service('kamailio').command;
  const start = inContainer(command).replace('/etc/kamailio/', new URL('docs/examples/kamailio/', ROOT).pathname);
  const env = { PATH: `${process.env.PATH}:/usr/sbin`, SIP_HOST: '127.0.0.1' };
  const check = (): number | null =>
    spawnSync('bash', ['-c', inContainer(service('kamailio').healthcheck.test[3] ?? '')], { env }).status;
  assert.notEqual(check(), 0);
  const kamailio = spawn('/bin/sh', ['-c', start], { env, stdio: 'ignore' });
  try {
    const deadline = performance.now() + 20_000;
    while (check() !== 0) assert.ok(performance.now() < deadline, 'Kamailio did not answer');
  } finally {
    kamailio.kill('SIGTERM');
    await once(kamailio, 'exit');
  }
  assert.notEqual(check(), 0);
});
