// Shared parts of the routes that take multipart forms.
import type { MultipartFile } from '@fastify/multipart';
import { refused } from './errors.ts';

/** The parts of a multipart body, as `@fastify/multipart` passes them. */
export type Parts = AsyncIterable<MultipartFile | { type: 'field'; fieldname: string; value: unknown }>;

/** The error to throw for one of the parser, which reports a broken form by a plain Error. */
export function formFault(error: unknown): unknown {
  // Errors of the disk have a code, errors of the framework a status.
  const isForm =
    error instanceof Error && error.constructor === Error && !('code' in error) && !('statusCode' in error);
  return isForm ? refused('BAD_REQUEST', 'The multipart body cannot be read') : error;
}

const FILE_NAME_MAX = 120;

/** A safe form of the client's file name: no path, no characters that could end a header. */
export function safeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last.replace(/[^\p{L}\p{N}._ ()-]/gu, '_').slice(-FILE_NAME_MAX);
  return /[\p{L}\p{N}]/u.test(safe) ? safe : 'document';
}
