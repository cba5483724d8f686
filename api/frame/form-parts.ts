// Shared parts of the routes that take multipart forms.
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { App } from './app.ts';
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

/** Allowance for the other parts, their headers and the boundaries. */
const OTHER_PARTS_BYTES_MAX = 64 * 1024;

/**
 * Registers routes that take a form with one file, in a scope of their own, so that no other route accepts multipart.
 *
 * @param register adds routes with these options
 */
export function withForms(
  app: App,
  fileBytesMax: number,
  register: (scope: App, options: ReturnType<typeof formOptions>) => void,
): void {
  app.register(async (plain) => {
    const scope = plain as App;
    await scope.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: fileBytesMax, files: 1, fields: 4, parts: 6, fieldSize: 1_024, headerPairs: 20 },
    });
    register(scope, formOptions(fileBytesMax));
  });
}

const formOptions = (fileBytesMax: number) => ({
  config: { idempotent: 'stream' } as const,
  bodyLimit: fileBytesMax + OTHER_PARTS_BYTES_MAX,
  // The parts are a stream, which the handler checks. The schema is for the OpenAPI document.
  validatorCompiler: () => () => true,
  preHandler: async (request: FastifyRequest): Promise<void> => {
    if (!request.isMultipart()) throw refused('UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type');
  },
});

const FILE_NAME_MAX = 120;

/** A safe form of the client's file name: no path, no characters that could end a header. */
export function safeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last.replace(/[^\p{L}\p{N}._ ()-]/gu, '_').slice(-FILE_NAME_MAX);
  return /[\p{L}\p{N}]/u.test(safe) ? safe : 'document';
}
