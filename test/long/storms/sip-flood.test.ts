// Strangers flood the SIP port, on a virtual clock: what they cost, what they read, and that trunks and calls go on
// beside them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { establish, hangUp, requestLines, scene, service } from '../../engine/sip/stack/network/strangers-scene.ts';

test('25,000 requests of strangers in half a minute leave no state, and a trunk’s calls come and go beside them', async () => {
  const it = await scene();
  const running = await establish(it, it.trunk, 'running');
  const before = it.endpoint.counts.transactions;
  for (let second = 0, id = 0; second < 30; second++) {
    for (let i = 0; i < 833; i++, id++) {
      const method = ['OPTIONS', 'INVITE', 'REGISTER', 'BYE', 'CANCEL'][id % 5] ?? 'OPTIONS';
      const lines = requestLines(it.stranger, method, `s${id}`);
      it.stranger.send(service, lines);
    }
    await it.lab.run(1_000);
    assert.ok(it.endpoint.counts.transactions <= before, `${it.endpoint.counts.transactions} transactions`);
  }
  const fresh = await establish(it, it.trunk, 'fresh');
  assert.deepEqual(await hangUp(it, it.trunk, 'fresh', fresh), [200]);
  assert.deepEqual(await hangUp(it, it.trunk, 'running', running), [200, 200]);
  assert.equal(it.legs.length, 2);
  assert.deepEqual(it.lab.errors, []);
});

test('strangers are answered a few times a second each, counted by reason and logged once a minute', async () => {
  const it = await scene();
  for (let second = 0; second < 70; second++) {
    for (let i = 0; i < 100; i++) it.stranger.send(service, requestLines(it.stranger, 'INVITE', `${second}-${i}`));
    await it.lab.run(1_000, 100);
  }
  const { stranger, dropped } = it.endpoint.counts.refused;
  assert.equal(stranger + dropped, 7_000);
  assert.ok(stranger <= 72 * 20, `${stranger} answered`);
  assert.equal(it.stranger.statuses().length, stranger);
  assert.equal(it.logged.length, 2);
  assert.deepEqual(
    it.logged.map((fields) => ('addresses' in fields ? fields.addresses : null)),
    [['192.0.2.7'], ['192.0.2.7']],
  );
});

test('forged sources by the thousand get a bounded number of answers a second', async () => {
  const it = await scene();
  const lines = requestLines(it.stranger, 'INVITE', 'f').join('\r\n');
  const before = it.lab.network.packets.length;
  for (let i = 0; i < 6_000; i++) {
    const from = { address: `198.18.${i >> 8}.${i & 255}`, port: 5060 };
    const socket = it.lab.network.bind(from, () => {});
    socket.send(Buffer.from(`${lines.replace('z9hG4bKf', `z9hG4bKf${i}`)}\r\n\r\n`), service, () => {});
    socket.close();
  }
  await it.lab.run(500);
  assert.ok(it.lab.network.packets.length - before - 6_000 <= 500);
});

test('an allowed address that floods uses up its own share only', async () => {
  const it = await scene({ allowed: ['10.0.0.200/32', '10.0.0.201/32'] });
  const [greedy, other] = [it.lab.peer('10.0.0.200'), it.lab.peer('10.0.0.201')];
  const running = await establish(it, greedy, 'running');
  for (let id = 0; id < 25_000; id++) {
    greedy.send(service, requestLines(greedy, 'OPTIONS', `g${id}`));
    if (id % 1_000 === 0) await it.lab.run(20);
  }
  await it.lab.run(100);
  assert.ok(greedy.statuses('OPTIONS').includes(503));
  assert.ok(it.endpoint.counts.refused.overload > 0);
  assert.ok(it.endpoint.counts.transactions < 20_000);
  await establish(it, other, 'other');
  await establish(it, it.trunk, 'trunk');
  assert.deepEqual(await hangUp(it, greedy, 'running', running), [200]);
});
