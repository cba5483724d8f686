// The fake object store checks signatures as the documentation of Amazon S3 has them, with its own examples.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { type StoreKey, signatureFault } from '../../bench/rig/fakes/object-store-signature.ts';

const KEY: StoreKey = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function example(
  method: string,
  url: string,
  headers: Record<string, string>,
  signature: string,
  payload = EMPTY,
): IncomingMessage {
  const all: Record<string, string> = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': payload,
    'x-amz-date': '20130524T000000Z',
    ...headers,
  };
  const signed = Object.keys(all).sort().join(';');
  const scope = `${KEY.accessKeyId}/20130524/us-east-1/s3/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope},SignedHeaders=${signed},Signature=${signature}`;
  return { method, url, headers: { ...all, authorization } } as unknown as IncomingMessage;
}

const EXAMPLES: Record<string, IncomingMessage> = {
  'GET object': example(
    'GET',
    '/test.txt',
    { range: 'bytes=0-9' },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ),
  'PUT object': example(
    'PUT',
    '/test%24file.text',
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
  ),
  'GET lifecycle': example(
    'GET',
    '/?lifecycle',
    {},
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ),
  'list objects': example(
    'GET',
    '/?max-keys=2&prefix=J',
    {},
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ),
};

for (const [name, request] of Object.entries(EXAMPLES)) {
  test(`the documented example "${name}" is right, and wrong with any change`, () => {
    assert.equal(signatureFault(request, KEY), null);
    const changed = (change: object) => ({ ...request, ...change }) as IncomingMessage;
    assert.equal(signatureFault(changed({ method: 'DELETE' }), KEY), 'SignatureDoesNotMatch');
    assert.equal(signatureFault(changed({ url: '/other' }), KEY), 'SignatureDoesNotMatch');
    assert.equal(signatureFault(request, { ...KEY, secretAccessKey: 'x' }), 'SignatureDoesNotMatch');
    assert.equal(signatureFault(request, { ...KEY, accessKeyId: 'x' }), 'InvalidAccessKeyId');
    const headers = { ...request.headers, 'x-amz-meta-more': '1' };
    assert.equal(signatureFault(changed({ headers }), KEY), 'AccessDenied', 'a header of the store is not signed');
  });
}
