import type { AnswerJson } from '../../../bench/rig/api/answers.ts';
import type { Answer, Tenant, TestApi } from '../../../bench/rig/api/api.ts';

const BOUNDARY = 'x-boundary-7';

/** Uploads a file to `/businesses/…/documents`, with or without a name of its own. */
export async function uploadDocument(
  api: TestApi,
  tenant: Tenant,
  path: string,
  { file, content, name, key }: { file: string; content: Buffer | string; name?: string; key?: string },
) {
  const part = (head: string, body: Buffer | string): Buffer =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(body as string),
      Buffer.from('\r\n'),
    ]);
  const answer = await api.inject({
    method: 'POST',
    url: `/api/v1${path}/upload`,
    headers: {
      authorization: `Bearer ${tenant.token}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
    payload: Buffer.concat([
      ...(name === undefined ? [] : [part('name="name"', name)]),
      part(`name="file"; filename="${file}"`, content),
      Buffer.from(`--${BOUNDARY}--\r\n`),
    ]),
  });
  return answer as Answer<AnswerJson<'POST', `/businesses/${string}/documents/upload`>>;
}
