// SIP over TLS for encrypting callers, with the bench's own certificate.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from './certificate.ts';
import { reservePort } from './reserved-port.ts';

interface TlsDoor {
  /** Environment for the start of the service. */
  environment: Record<string, string>;
  /** host:port of SIP over TLS. */
  address: string;
  /** Removes the certificate. */
  close(): void;
}

export async function openTlsDoor(): Promise<TlsDoor> {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [port, { certPem, keyPem }] = [await reservePort(), selfSigned()];
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  return {
    environment: {
      SIP_TLS_PORT: `${port}`,
      SIP_TLS_CERT: file('cert.pem', certPem),
      SIP_TLS_KEY: file('key.pem', keyPem),
    },
    address: `127.0.0.1:${port}`,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
