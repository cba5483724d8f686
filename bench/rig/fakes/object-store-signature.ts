// AWS Signature Version 4 as a store checks it, written from the specification (Amazon S3 API reference, "Signature
// Calculations for the Authorization Header: Transferring Payload in a Single Chunk"), without the client's library.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface StoreKey {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

/** The code with which a store refuses the request; null if its signature is right. */
export function signatureFault({ method = '', url = '', headers }: IncomingMessage, key: StoreKey): string | null {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (match === null) return 'AccessDenied';
  const [, id, day = '', region = '', names = '', signature = ''] = match;
  if (id !== key.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== key.region) return 'AuthorizationHeaderMalformed';
  const signed = names.split(';');
  const payload = headers['x-amz-content-sha256'];
  // The host, and every header of the store's own, must be signed.
  const unsigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))].filter(
    (name) => !signed.includes(name),
  );
  if (unsigned.length > 0 || typeof payload !== 'string') return 'AccessDenied';
  const [path = '', search = ''] = url.split('?');
  const canonical = [
    method,
    path
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    canonicalQuery(search),
    ...signed.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    names,
    payload,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const secret = ['s3', 'aws4_request'].reduce(
    hmac,
    hmac(hmac(Buffer.from(`AWS4${key.secretAccessKey}`), day), region),
  );
  const right = hmac(secret, toSign);
  return timingSafeEqual(right, Buffer.from(signature, 'hex')) ? null : 'SignatureDoesNotMatch';
}

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** RFC 3986, upper case, with all but the unreserved characters escaped. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

function canonicalQuery(search: string): string {
  if (search === '') return '';
  return search
    .split('&')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return `${encoded(decodeURIComponent(name.replaceAll('+', ' ')))}=${encoded(decodeURIComponent(value.replaceAll('+', ' ')))}`;
    })
    .sort()
    .join('&');
}
