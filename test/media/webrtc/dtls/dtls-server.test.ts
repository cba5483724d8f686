// The handshake between our server and a client of the rig: keys, lost and cut datagrams, and who is not let in. That a
// stranger's client comes to the same keys is in test/peers/dtls.test.ts.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { DtlsClient, type DtlsClientOptions } from '../../../../bench/rig/webrtc/dtls-client.ts';
import { makeCertificate } from '../../../../media/webrtc/dtls/certificate.ts';
import { DtlsServer } from '../../../../media/webrtc/dtls/dtls-server.ts';
import type { SrtpKeys } from '../../../../media/webrtc/dtls/keys.ts';

const [OURS, THEIRS, OTHERS] = [makeCertificate(), makeCertificate(), makeCertificate()];

interface Lab {
  client: DtlsClient;
  server: DtlsServer;
  keys: { client?: SrtpKeys; server?: SrtpKeys };
  bytes: { in: number; out: number };
  ends: number;
}

/** Both ends; `passes` sees each datagram by its number, and may give another one. */
function lab(
  passes: (datagram: Buffer, index: number) => Buffer | null = (datagram) => datagram,
  lies: Partial<DtlsClientOptions> = {},
): Lab {
  let index = 0;
  const onTheWay: Array<() => void> = [];
  const through = (datagram: Buffer, take: (datagram: Buffer) => void): void => {
    const passed = passes(datagram, index++);
    if (passed === null) return;
    onTheWay.push(() => take(passed));
    // The first sender brings what comes of it to its end.
    for (let first = onTheWay.length === 1; first && onTheWay[0]; onTheWay.shift()) onTheWay[0]();
  };
  const keys: Lab['keys'] = {};
  const bytes = { in: 0, out: 0 };
  const made: Lab = { keys, bytes, ends: 0 } as Lab;
  made.server = new DtlsServer({
    certificate: OURS,
    clientFingerprint: THEIRS.fingerprint,
    send: (datagram) => {
      bytes.out += datagram.length;
      through(datagram, (passed) => made.client.receive(passed));
    },
    onKeys: (made) => {
      keys.server = made;
    },
    onEnd: () => made.ends++,
  });
  made.client = new DtlsClient({
    certificate: THEIRS,
    serverFingerprint: OURS.fingerprint,
    send: (datagram) => {
      bytes.in += datagram.length;
      through(datagram, (passed) => made.server.receive(passed));
    },
    onKeys: (made) => {
      keys.client = made;
    },
    ...lies,
  });
  return made;
}

test('a certificate is one that others can read, of its own key', () => {
  const read = new X509Certificate(OURS.der);
  assert.ok(read.verify(read.publicKey));
  assert.equal(read.fingerprint256, OURS.fingerprint);
  assert.notEqual(OURS.fingerprint, OTHERS.fingerprint);
});

test('both sides come to the same keys, and the client’s goodbye ends it', () => {
  const { client, server, keys, ...rest } = lab();
  client.begin();
  assert.ok(server.isDone && client.isDone);
  assert.ok(keys.client);
  assert.deepEqual(keys.client, keys.server);
  assert.notEqual(keys.client.client, keys.client.server);
  assert.equal(Buffer.from(keys.client.client, 'base64').length, 30);
  assert.equal(rest.ends, 0);
});

test('a first message longer than a datagram is put together, also out of order', () => {
  const held: Buffer[] = [];
  const made = lab(undefined, { padding: 2_500, send: (datagram) => held.push(datagram) });
  made.client.begin();
  assert.equal(held.length, 3);
  for (const datagram of held.splice(0).reverse()) made.server.receive(datagram);
  for (const datagram of held.splice(0)) made.server.receive(datagram);
  assert.ok(made.client.isDone);
});

test('whichever datagram is lost, repetition brings the handshake to its end', () => {
  for (let lost = 0; lost < 9; lost++) {
    const made = lab((datagram, index) => (index === lost ? null : datagram));
    made.client.begin();
    for (let n = 0; n < 3 && !made.client.isDone; n++) made.client.repeat();
    assert.ok(made.client.isDone, `without datagram ${lost}`);
    assert.deepEqual(made.keys.client, made.keys.server);
  }
});

test('another certificate than the offer’s gets no keys', () => {
  const { client, server, keys } = lab(undefined, { certificate: OTHERS });
  client.begin();
  assert.ok(!server.isDone);
  assert.equal(keys.server, undefined);
});

test('the right certificate, copied by somebody without its key, gets no keys', () => {
  const { client, server, keys } = lab(undefined, { otherKey: OTHERS.privateKey });
  client.begin();
  assert.ok(!server.isDone);
  assert.equal(keys.server, undefined);
});

test('an end in the clear ends nothing: only the client can say that it goes', () => {
  const made = lab();
  made.client.begin();
  made.server.receive(Buffer.from('15fefd0000000000000009000201 00'.replace(' ', ''), 'hex'));
  assert.equal(made.ends, 0);
  made.client.end();
  assert.equal(made.ends, 1);
});

test('whatever is changed on the way, nothing is thrown, and no keys come of it that are not the client’s', () => {
  let state = 7;
  const next = (bound: number): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return (state >> 8) % bound;
  };
  for (let round = 0; round < 200; round++) {
    const at = next(6);
    const made = lab((datagram, index) => {
      if (index !== at) return datagram;
      const changed = Buffer.from(datagram);
      for (let n = 0; n <= next(4); n++) changed[next(changed.length)] = next(256);
      return changed.subarray(0, next(3) === 0 ? next(changed.length) : changed.length);
    });
    try {
      made.client.begin();
    } catch {
      // The client of the rig gives up where the server's bytes are wrong.
    }
    if (made.keys.server && made.keys.client) assert.deepEqual(made.keys.server, made.keys.client, `round ${round}`);
  }
});

test('repetitions are answered for a while, and then no more', () => {
  const made = lab();
  made.client.begin();
  for (let n = 0; n < 200; n++) made.client.repeat();
  const { out } = made.bytes;
  for (let n = 0; n < 200; n++) made.client.repeat();
  assert.equal(made.bytes.out, out);
});

/** Three messages of a client whose proof is wrong: certificate, key, and the wrong proof. */
function wrongProof(): { made: Lab; proof: Buffer; rest: Buffer[] } {
  const held: Buffer[] = [];
  const made = lab(undefined, { send: (datagram) => held.push(datagram) });
  made.client.begin();
  made.server.receive(held.shift() as Buffer);
  const [certificate, key, proof, ...rest] = held as [Buffer, Buffer, Buffer, ...Buffer[]];
  for (const datagram of [certificate, key]) made.server.receive(datagram);
  const wrong = Buffer.from(proof);
  wrong[wrong.length - 1] = (wrong.at(-1) as number) ^ 1;
  return { made, proof: wrong, rest: [proof, ...rest] };
}

test('some forged proofs keep no client out, and after more of them nothing is read', () => {
  for (const [forged, isDone] of [
    [3, true],
    [8, false],
  ] as const) {
    const { made, proof, rest } = wrongProof();
    for (let n = 0; n < forged; n++) made.server.receive(proof);
    for (const datagram of rest) made.server.receive(datagram);
    assert.equal(made.server.isDone, isDone, `${forged}`);
  }
});

test('pieces of messages of changing length are given up', () => {
  const held: Buffer[] = [];
  const made = lab(undefined, { padding: 2_500, send: (datagram) => held.push(datagram) });
  made.client.begin();
  const other = Buffer.from(held[0] as Buffer);
  // Of the message, behind the header of the record.
  other.writeUIntBE(8_000, 14, 3);
  for (let n = 0; n < 8; n++) for (const piece of [held[1] as Buffer, other]) made.server.receive(piece);
  for (const piece of held.splice(0)) made.server.receive(piece);
  assert.equal(made.bytes.out, 0);
});

test('after the handshake a goodbye is heard behind a few forged records, and none behind hundreds', () => {
  for (const [forged, ends] of [
    [100, 1],
    [300, 0],
  ] as const) {
    const made = lab();
    made.client.begin();
    const record = Buffer.concat([Buffer.from('15fefd0001000000000009001a', 'hex'), Buffer.alloc(26, 7)]);
    for (let n = 0; n < forged; n++) made.server.receive(record);
    made.client.end();
    assert.equal(made.ends, ends, `${forged}`);
  }
});

test('of a datagram no more records are read than a flight has', () => {
  const held: Buffer[] = [];
  const { client, server, bytes } = lab(undefined, { send: (datagram) => held.push(datagram) });
  client.begin();
  const empty = Buffer.from('16fefd00000000000000000000', 'hex');
  server.receive(Buffer.concat([...Array<Buffer>(100).fill(empty), held[0] as Buffer]));
  assert.equal(bytes.out, 0);
  server.receive(Buffer.concat([empty, held[0] as Buffer]));
  assert.ok(bytes.out > 0);
});
