// The handshake with a stranger's client, OpenSSL: it comes to the same keys for SRTP.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../bench/rig/temporary-folder.ts';
import { fingerprintOf, makeCertificate } from '../../media/webrtc/dtls/certificate.ts';
import { DtlsServer } from '../../media/webrtc/dtls/dtls-server.ts';
import type { SrtpKeys } from '../../media/webrtc/dtls/keys.ts';

const folder = temporaryFolder('voice-dtls');
const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];

test('OpenSSL shakes hands, exports the keys that we have, and its goodbye is heard', { timeout: 60_000 }, async () => {
  const subject = [
    '-subj',
    '/CN=browser',
    '-days',
    '2',
    '-nodes',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
  ];
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', keyFile, '-out', certificateFile], {
    stdio: 'ignore',
  });
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let from = { address: '', port: 0 };
  const keys = Promise.withResolvers<SrtpKeys>();
  const end = Promise.withResolvers<void>();
  const server = new DtlsServer({
    certificate: makeCertificate(),
    clientFingerprint: fingerprintOf(new X509Certificate(readFileSync(certificateFile)).raw),
    send: (datagram) => socket.send(datagram, from.port, from.address),
    onKeys: keys.resolve,
    onEnd: end.resolve,
  });
  socket.on('message', (datagram, sender) => {
    from = sender;
    server.receive(datagram);
  });
  const client = spawn('openssl', [
    ...['s_client', '-dtls1_2', '-connect', `127.0.0.1:${socket.address().port}`],
    ...['-cert', certificateFile, '-key', keyFile, '-use_srtp', 'SRTP_AES128_CM_SHA1_80'],
    ...['-keymatexport', 'EXTRACTOR-dtls_srtp', '-keymatexportlen', '60'],
  ]);
  let said = '';
  client.stdout.on('data', (text: Buffer) => {
    said += text;
  });
  const ours = await keys.promise;
  client.stdin.end('Q\n');
  await end.promise;
  await once(client, 'close');
  socket.close();
  const [, exported] = /Keying material: ([0-9A-F]{120})/.exec(said) ?? [];
  assert.ok(exported, said);
  const bytes = Buffer.from(exported, 'hex');
  const keySalt = (key: number, salt: number): string =>
    Buffer.concat([bytes.subarray(key, key + 16), bytes.subarray(salt, salt + 14)]).toString('base64');
  assert.deepEqual(ours, { client: keySalt(0, 32), server: keySalt(16, 46) });
  assert.match(said, /Cipher is ECDHE-ECDSA-AES128-GCM-SHA256/);
  assert.match(said, /Extended master secret: yes/);
});
