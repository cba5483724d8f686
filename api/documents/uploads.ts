// A document as a file: streamed to the disk, then read on its thread.
import type { FileHandle } from 'node:fs/promises';
import { DOCUMENT_BYTES_MAX } from '../../db/domain/field-limits.ts';
import type { DocumentKind } from '../../db/schema/knowledge.ts';
import type { ApiContext } from '../context.ts';
import { invalid, refused } from '../frame/errors.ts';
import { formFault, type Parts, safeFileName } from '../frame/form-parts.ts';
import { withUnnamedFile } from '../frame/unnamed-file.ts';
import { faultOf, kindOfName } from './reading/kinds.ts';

const NAME_MAX = 200;

interface Upload {
  name: string;
  kind: DocumentKind;
  bytes: () => Promise<Uint8Array>;
}

interface Received {
  name: string | null;
  fileName: string | null;
  isTruncated: boolean;
}

/** Passes the file on while it is there. @throws {ApiError} 400, 413, 422 */
export function withUpload<T>(
  context: Pick<ApiContext, 'config'>,
  parts: Parts,
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  return withUnnamedFile(context, async (file) => {
    const received = await receive(file, parts);
    return use({ ...checked(received, await head(file)), bytes: () => contents(file) });
  });
}

async function receive(file: FileHandle, parts: Parts): Promise<Received> {
  const received: Received = { name: null, fileName: null, isTruncated: false };
  try {
    for await (const part of parts) {
      if (part.type === 'field') {
        if (part.fieldname === 'name') received.name = String(part.value);
      } else if (part.fieldname !== 'file' || received.fileName !== null) part.file.resume();
      else {
        received.fileName = safeFileName(part.filename);
        for await (const chunk of part.file as AsyncIterable<Buffer>) await file.write(chunk);
        received.isTruncated = part.file.truncated;
      }
    }
    return received;
  } catch (error) {
    throw formFault(error);
  }
}

function checked({ name, fileName, isTruncated }: Received, first: Uint8Array): Pick<Upload, 'name' | 'kind'> {
  if (isTruncated)
    throw refused('BODY_TOO_LARGE', `The document is larger than ${DOCUMENT_BYTES_MAX / 1024 / 1024} MiB`);
  if (fileName === null) throw invalid([{ field: 'file', message: 'is required' }]);
  const named = name?.trim() || fileName;
  if (named.length > NAME_MAX)
    throw invalid([{ field: 'name', message: `must NOT have more than ${NAME_MAX} characters` }]);
  const kind = kindOfName(fileName) ?? (faultOf('pdf', first) === null ? 'pdf' : null);
  if (kind === null) throw invalid([{ field: 'file', message: 'must be a .pdf, .docx, .html, .md or .txt' }]);
  return { name: named, kind };
}

const HEAD_BYTES = 16;

async function head(file: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

async function contents(file: FileHandle): Promise<Uint8Array> {
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(new Uint8Array(size), 0, size, 0);
  return buffer.subarray(0, bytesRead);
}
