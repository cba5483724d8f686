// Telephones behind a NAT that register through Kamailio's example configuration, over UDP, TCP and TLS: called by any
// of two engines, calling in at any, whichever took the registration.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { freshDatabase } from '../../bench/rig/database/fresh-database.ts';
import { selfSigned } from '../../bench/rig/network/certificate.ts';
import { startExampleEdge } from '../../bench/rig/network/example-edge.ts';
import { type Proxy as Kamailio, skipWithoutModules } from '../../bench/rig/network/kamailio.ts';
import { reservePort } from '../../bench/rig/network/reserved-port.ts';
import { type Harness, recordLeg, startHarness } from '../../bench/rig/phone/sip-harness.ts';
import { addTables } from '../../bench/rig/rows/campaign-tables.ts';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { openDatabase } from '../../db/database.ts';
import { addSipAccount } from '../../db/queries/trunks/sip-accounts.ts';
import type { Db } from '../../db/schema.ts';
import { seal } from '../../db/shared/secrets/secret-box.ts';
import { type OperationName, operations } from '../../db/writing/operations.ts';
import { SipAccountSync } from '../../engine/sync/sip-accounts.ts';
import { value } from '../support/sip/sip-lab.ts';
import { WirePhone } from '../support/sip/wire-phone.ts';

const skip = skipWithoutModules('kamailio-tls-modules');
const audio = { address: '127.0.0.1', port: 40_000 };
const PASSWORD = 'a-good-password';
const sealKey = randomBytes(32);
const nonceKey = randomBytes(32);
const PROTOCOLS = ['udp', 'tcp', 'tls'] as const;

let db: Db;
let accountId: string;
let engines: Harness[];
let syncs: SipAccountSync[];
let proxy: Kamailio;
/** The engine that took the last registration. */
let registrar = -1;
/** Of registrations, by either engine. */
const writes: Array<Promise<unknown>> = [];
const ports = { udp: 0, tcp: 0, tls: 0 };

before(async () => {
  if (skip) return;
  const path = join(temporaryFolder('voice-edge-'), 'voice.db');
  freshDatabase(path);
  db = openDatabase(path, { synchronous: 'NORMAL' });
  accountId = await addTables(db, Date.now()).account();
  for (const username of ['ann', 'bob']) {
    const passwordSealed = seal(sealKey, `sip_${username}`, PASSWORD);
    const fields = { accountId, username, displayName: null, passwordSealed, callsTo: null, enabled: 1 } as const;
    await addSipAccount(db, `sip_${username}`, fields, 0);
  }
  engines = await Promise.all(
    [0, 1].map(() =>
      startHarness((leg) => leg.answer(audio), { edgeProxies: ['127.0.0.1'], inboundAllow: [], nonceKey }),
    ),
  );
  syncs = await Promise.all(engines.map(syncOf));
  ports.tcp = await reservePort();
  ports.tls = await reservePort();
  const files = selfSigned();
  proxy = await startExampleEdge({
    engines: engines.map(({ port }) => `sip:127.0.0.1:${port}`),
    defines: { EDGE_TCP: `tcp:127.0.0.1:${ports.tcp}`, EDGE_TLS: `tls:127.0.0.1:${ports.tls}` },
    files: {
      'tls.cfg': '[server:default]\nmethod = TLSv1.2+\nprivate_key = key.pem\ncertificate = cert.pem\n',
      'key.pem': files.keyPem,
      'cert.pem': files.certPem,
    },
  });
  ports.udp = proxy.port;
});
after(async () => {
  if (skip) return;
  await Promise.all(engines.map(({ telephony }) => telephony.stop()));
  await proxy.stop();
  await db.destroy();
});

async function syncOf({ telephony }: Harness, index: number): Promise<SipAccountSync> {
  const run = (name: OperationName, args: never) => {
    if (name === 'writeSipBinding') registrar = index;
    const written = (operations[name] as (db: Db, args: never) => Promise<unknown>)(db, args);
    writes.push(written);
    return written;
  };
  const sync = new SipAccountSync({
    read: db,
    writer: { run: run as never },
    registrar: telephony.registrar,
    secretKey: sealKey,
    now: () => Date.now(),
    log: pino({ level: 'silent' }),
  });
  await sync.restore();
  return sync;
}

/** Both engines know what the other has written. */
async function follow(): Promise<void> {
  await Promise.all(writes.splice(0));
  for (const sync of syncs) await sync.follow();
}

const legsOf = (): number[] => engines.map(({ legs }) => legs.length);

const phoneOn = (protocol: (typeof PROTOCOLS)[number], username: string, password = PASSWORD): Promise<WirePhone> =>
  WirePhone.open({ protocol, port: ports[protocol], username, password });

const ring = (engine: Harness | undefined, username: string) => {
  assert.ok(engine);
  return recordLeg(
    engine.telephony.dial({
      trunkIds: [],
      to: `sip:${username}`,
      accountId,
      from: '+15559990000',
      fromName: null,
      audio,
      ringTimeoutMs: 10_000,
    }),
  );
};

for (const protocol of PROTOCOLS) {
  test(`a phone over ${protocol} is called by either engine, and either side hangs up`, { skip }, async () => {
    const phone = await phoneOn(protocol, 'ann');
    const answer = await phone.register();
    assert.equal(answer.status, 200, proxy.output());
    assert.match(value(answer, 'path'), /^<sip:127\.0\.0\.1:\d+;lr;received=sip:127\.0\.0\.3:/);
    await follow();
    for (const engine of engines) {
      for (const who of ['engine', 'phone'] as const) {
        const leg = ring(engine, 'ann');
        const { audio: agreed } = await leg.next('answered');
        assert.equal(agreed.srtp !== null, protocol === 'tls');
        assert.ok(agreed.sources.includes('127.0.0.3'));
        await phone.got('ACK');
        if (who === 'engine') {
          leg.leg.hangUp();
          await phone.got('BYE');
        } else assert.equal(await phone.hangUp(), 200);
        assert.equal((await leg.next('ended')).end.by, who === 'engine' ? 'local' : 'remote');
      }
    }
    assert.equal((await phone.register(0)).status, 200);
    await follow();
    for (const engine of engines) assert.throws(() => ring(engine, 'ann'), { code: 'NOT_REGISTERED' });
    phone.close();
  });
}

for (const protocol of PROTOCOLS) {
  test(`a phone over ${protocol} calls in, at whichever engine, as its account`, { skip }, async () => {
    const phone = await phoneOn(protocol, 'ann');
    await phone.register();
    await follow();
    const before = legsOf();
    for (const who of ['phone', 'engine', 'phone', 'engine'] as const) {
      const counts = legsOf();
      assert.equal((await phone.call()).status, 200);
      const index = legsOf().findIndex((count, i) => count > (counts[i] ?? 0));
      const leg = engines[index]?.legs.at(-1) ?? assert.fail('no engine has the call');
      assert.deepEqual([leg.leg.sipAccountId, leg.leg.remoteAddress], ['sip_ann', '127.0.0.3']);
      assert.equal((await leg.next('answered')).audio.srtp !== null, protocol === 'tls');
      if (who === 'phone') assert.equal(await phone.hangUp(), 200);
      else {
        leg.leg.hangUp();
        await phone.got('BYE');
      }
    }
    assert.deepEqual(
      legsOf().map((count, i) => count - (before[i] ?? 0)),
      [2, 2],
    );
    phone.close();
  });
}

test('a phone that comes back by another flow is called by that one only', { skip }, async () => {
  const [before, now] = [await phoneOn('tcp', 'ann'), await phoneOn('udp', 'ann')];
  await before.register();
  await now.register();
  await follow();
  for (const engine of engines) {
    const leg = ring(engine, 'ann');
    await leg.next('answered');
    leg.leg.hangUp();
    await now.got('BYE');
  }
  assert.deepEqual(before.requests, []);
  before.close();
  now.close();
});

test('what a phone says of its way and its source is forgotten at the edge', { skip }, async () => {
  const phone = await phoneOn('udp', 'bob');
  const answer = await phone.register(600, [
    { name: 'path', value: '<sip:127.0.0.1:9;lr>' },
    { name: 'x-edge-source', value: '127.0.0.1:5060' },
    { name: 'route', value: '<sip:127.0.0.1:9;lr>' },
  ]);
  assert.match(value(answer, 'path'), /^<sip:127\.0\.0\.1:\d+;lr;received=sip:127\.0\.0\.3:\d+>$/);
  assert.ok(!value(answer, 'path').includes(':9;'));
  const row = await db.selectFrom('sipBindings').select('address').where('sipAccountId', '=', 'sip_bob').execute();
  assert.deepEqual(row, [{ address: '127.0.0.3' }]);
  phone.close();
});

test('nobody relays by the edge to others than the engines', { skip }, async () => {
  const [phone, victim] = [await phoneOn('udp', 'bob'), await phoneOn('udp', 'ann')];
  const at = `sip:127.0.0.3:${victim.port}`;
  assert.equal(await phone.relay(`<sip:127.0.0.1:${ports.udp};lr;received=${at}>`), 403);
  assert.equal(await phone.relay(`<sip:127.0.0.1:${ports.udp};lr>`, at), 403);
  assert.deepEqual(victim.requests, []);
  phone.close();
  victim.close();
});

test('who guesses at the edge is locked out, and nobody else', { skip }, async () => {
  const caller = (address: string, password: string) =>
    WirePhone.open({ protocol: 'udp', port: ports.udp, username: 'bob', password, address });
  for (let i = 0; i < 10; i++) {
    const phone = await caller('127.0.1.1', 'guess');
    assert.equal((await phone.register()).status, 401);
    phone.close();
  }
  const [locked, other] = [await caller('127.0.1.1', PASSWORD), await caller('127.0.2.1', PASSWORD)];
  assert.deepEqual([(await locked.register()).status, (await other.register()).status], [403, 200]);
  locked.close();
  other.close();
});

test('the other engine takes over the phones of one that is gone, and challenges them anew', { skip }, async () => {
  const phone = await phoneOn('udp', 'ann');
  await phone.register();
  await follow();
  const gone = registrar;
  const left = engines[1 - gone];
  await engines[gone]?.telephony.stop();
  assert.equal((await phone.register()).status, 200);
  assert.equal(registrar, 1 - gone);
  const leg = ring(left, 'ann');
  await leg.next('answered');
  leg.leg.hangUp();
  await phone.got('BYE');
  for (let i = 0; i < 3; i++) {
    assert.equal((await phone.call()).status, 200);
    assert.equal(left?.legs.at(-1)?.leg.sipAccountId, 'sip_ann');
    assert.equal(await phone.hangUp(), 200);
  }
  phone.close();
});
