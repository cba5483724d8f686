// docker-compose.yml and Dockerfile against what the service is. A variable that is missing in the one would be ignored
// in silence; a port that is bound wrongly would be open to the world, since all containers share the host's network.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';

interface Service {
  profiles?: string[];
  image: string;
  command: string[];
  environment: Record<string, string | null>;
  network_mode: string;
  ports?: string[];
  stop_grace_period: string;
  healthcheck: { test: string[] };
  read_only?: boolean;
  mem_limit: string;
  volumes?: string[];
}

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const { services }: { services: Record<string, Service> } = parse(read('docker-compose.yml'), { merge: true });

function service(name: string): Service {
  const found = services[name];
  assert.ok(found, name);
  return found;
}

/** The default of `${NAME:-default}`. */
const defaultOf = (text: string): string => /^\$\{\w+:-(.*)\}$/.exec(text)?.[1] ?? text;

/** The names in the first column of the page's table, and Node's own below it. */
const documented = (): string[] => {
  const rows = read('docs/configuration.md').match(/^\| `[^|]+/gm) ?? [];
  return [...rows.flatMap((row) => row.match(/[A-Z][A-Z0-9_]+/g) ?? []), 'NODE_EXTRA_CA_CERTS'].sort();
};

const SET_HERE = ['APP_ENV', 'DATA_DIR', 'JWT_SECRET'];
const OWN = ['engine', 'api'];
const TELEPHONY = ['drachtio', 'freeswitch'];

test('engine and API run by themselves, drachtio and FreeSWITCH with their profile', () => {
  assert.deepEqual(Object.keys(services), [...OWN, ...TELEPHONY]);
  for (const name of OWN) assert.equal(service(name).profiles, undefined);
  assert.deepEqual(service('drachtio').profiles, ['freeswitch', 'drachtio']);
  assert.deepEqual(service('freeswitch').profiles, ['freeswitch']);
});

test('both of our containers are given each variable of the configuration, and no default of their own', () => {
  for (const name of OWN) {
    const { environment } = service(name);
    // A container runs one process, and starts another where that dies.
    const ofProcesses = documented().filter((variable) => variable !== 'WARM_STANDBY');
    assert.deepEqual(Object.keys(environment).sort(), ofProcesses);
    const withValue = Object.entries(environment).filter(([, value]) => value !== null);
    assert.deepEqual(withValue.map(([variable]) => variable).sort(), SET_HERE);
  }
});

test('they read their tree and share one volume, and every container has a limit and a health check', () => {
  for (const name of OWN) {
    const { read_only: readOnly, volumes, healthcheck } = service(name);
    assert.deepEqual([readOnly, volumes], [true, ['data:/data']]);
    const script = healthcheck.test[2] ?? '';
    assert.ok(read(script).length > 0, script);
  }
  for (const { mem_limit: limit, healthcheck } of Object.values(services))
    assert.ok(limit && healthcheck.test.length > 1);
});

test('the engine may drain, and write the last ends, before it is killed', () => {
  const drainSeconds = Number(/`DRAIN_SECONDS` \| `(\d+)`/.exec(read('docs/configuration.md'))?.[1]);
  const END_WRITES_SECONDS = 10;
  assert.ok(Number.parseInt(defaultOf(service('engine').stop_grace_period), 10) > drainSeconds + END_WRITES_SECONDS);
  // FreeSWITCH takes 24 s, and drachtio has the calls until the engine has ended them.
  for (const name of TELEPHONY) assert.ok(Number.parseInt(service(name).stop_grace_period, 10) >= 45, name);
});

test('what takes commands is bound to this machine, and nothing is published beside that', () => {
  for (const { network_mode: network, ports } of Object.values(services))
    assert.deepEqual([network, ports], ['host', undefined]);
  assert.match(service('drachtio').command.join(), /--address 127\.0\.0\.1 /);
  const freeswitch = read('docs/examples/freeswitch/freeswitch.xml');
  const bound = [...freeswitch.matchAll(/name="(listen-ip|sip-ip)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  assert.deepEqual(bound, [
    ['listen-ip', '127.0.0.1'],
    ['sip-ip', '127.0.0.1'],
  ]);
  for (const name of ['DRACHTIO_SECRET', 'FREESWITCH_SECRET']) {
    const container = service(name === 'DRACHTIO_SECRET' ? 'drachtio' : 'freeswitch');
    assert.ok(container.command.join().includes(`\${${name}:?`), `${name} has no default`);
  }
});

test("FreeSWITCH gives a channel's event socket only to whoever knows its secret", () => {
  const freeswitch = read('docs/examples/freeswitch/freeswitch.xml');
  const [, engine = ''] = /<extension name="engine">([\s\S]*?)<\/extension>/.exec(freeswitch) ?? [];
  assert.match(
    engine,
    /sip_h_X-Engine-Secret\}" expression="\^\\Q\$\$\{event_socket_secret\}\\E\$">[\s\S]*application="socket"/,
  );
});

test('every image that is fetched is named by its digest', () => {
  const images = [
    ...TELEPHONY.map((name) => defaultOf(service(name).image)),
    /ARG NODE_IMAGE=(\S+)/.exec(read('Dockerfile'))?.[1],
  ];
  for (const image of images) assert.match(image ?? '', /@sha256:[0-9a-f]{64}$/);
});

test('the RTP ports of engine and FreeSWITCH are apart, and below those that the kernel hands out', () => {
  const engine = /`RTP_PORT_MIN`, `RTP_PORT_MAX` \| `(\d+)`, `(\d+)`/.exec(read('docs/configuration.md'));
  const { environment } = service('freeswitch');
  const from = Number(defaultOf(environment.FREESWITCH_RTP_PORT_MIN ?? ''));
  const to = Number(defaultOf(environment.FREESWITCH_RTP_PORT_MAX ?? ''));
  assert.ok(Number(engine?.[2]) < from && from < to && to < 32_768, `${engine?.[2]} ${from} ${to}`);
});

test('the image is given every folder that the service imports, and neither tests nor secrets', () => {
  const [everything, ...rules] = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.equal(everything, '*');
  const letIn = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
  const imported = new Set<string>();
  for (const file of globSync('{api,bench/caller,db,engine,media,models}/**/*.{ts,tsx}', { cwd: ROOT })) {
    for (const [, target = ''] of read(file).matchAll(/from '(\.[^']+)'/g)) {
      imported.add(new URL(target, new URL(file, ROOT)).href.slice(ROOT.href.length).split('/')[0] ?? '');
    }
  }
  for (const folder of imported) assert.ok(letIn.includes(folder), `${folder} is imported`);
  for (const path of ['.env', 'data', 'test', 'docs', 'node_modules', '.git']) assert.ok(!letIn.includes(path), path);
});

const isInstalled = spawnSync('docker-compose', ['version']).status === 0;
const skip = !isInstalled && 'docker-compose is not installed (Debian: docker-compose)';

/** The configuration that docker-compose makes of the file with these variables, and with no .env of this machine. */
function config(environment: Record<string, string>) {
  const folder = temporaryFolder('voice-compose');
  const envFile = join(folder, 'none');
  writeFileSync(envFile, '');
  return spawnSync('docker-compose', ['--env-file', envFile, 'config'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...environment },
  });
}

test('docker-compose reads the file and hands variables on', { skip }, () => {
  const secret = 'x'.repeat(32);
  const { status, stdout, stderr } = config({
    JWT_SECRET: secret,
    SIP_PORT: '5070',
    COMPOSE_PROFILES: 'freeswitch',
  });
  assert.equal(status, 0, stderr);
  const { services: resolved }: { services: Record<string, Service> } = parse(stdout);
  for (const name of OWN) {
    const { environment } = resolved[name] ?? service(name);
    assert.deepEqual([environment.JWT_SECRET, environment.LOG_LEVEL], [secret, null]);
  }
  for (const name of [...OWN, 'drachtio']) assert.equal(String(resolved[name]?.environment.SIP_PORT), '5070');
});

test('docker-compose wants a JWT_SECRET', { skip }, () => {
  const { status, stderr } = config({});
  assert.notEqual(status, 0);
  assert.match(stderr, /JWT_SECRET/);
});
