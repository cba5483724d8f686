// The first handshake of a process takes several times as long as the second: code is compiled, and OpenSSL looks its
// algorithms up. No call is to feel that, so a server meets a client that says nothing true before there are calls.
import { createECDH, randomBytes, sign } from 'node:crypto';
import { number, vector } from './bytes.ts';
import type { Certificate } from './certificate.ts';
import { CERTIFICATE, CERTIFICATE_VERIFY, CLIENT_HELLO, CLIENT_KEY_EXCHANGE, DtlsServer } from './dtls-server.ts';
import { clientHello, ECDSA_P256_SHA256, RANDOM_BYTES } from './hello.ts';
import { HANDSHAKE, handshakeMessage, openRecord, plainRecord, recordsOf, sealRecord } from './records.ts';

export function warmUp(certificate: Certificate): void {
  const { der, privateKey, fingerprint } = certificate;
  const nothing = (): void => undefined;
  const server = new DtlsServer({
    ...{ certificate, clientFingerprint: fingerprint },
    ...{ send: nothing, onKeys: nothing, onEnd: nothing },
  });
  const messages: Array<[type: number, body: Buffer]> = [
    [CLIENT_HELLO, clientHello(randomBytes(RANDOM_BYTES))],
    [CERTIFICATE, vector(3, vector(3, der))],
    [CLIENT_KEY_EXCHANGE, vector(1, createECDH('prime256v1').generateKeys())],
    [CERTIFICATE_VERIFY, Buffer.concat([number(ECDSA_P256_SHA256, 2), vector(2, sign('sha256', der, privateKey))])],
  ];
  for (const [index, [type, body]] of messages.entries())
    server.receive(plainRecord(HANDSHAKE, index, handshakeMessage(type, index, body)));
  // The end of a handshake is sealed.
  const key = { key: randomBytes(16), iv: randomBytes(4) };
  for (const record of recordsOf(sealRecord(key, HANDSHAKE, 0, der))) openRecord(key, record);
}
