// Answers with a recording, whole or in parts, so that a player can seek: Range, If-Range and ETag of RFC 9110.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Binary, errorResponses } from '../../frame/envelope-schema.ts';
import { refused } from '../../frame/errors.ts';
import { whenGone } from '../../frame/files.ts';
import { entityTag, isSame, parseRange, type Recording } from './audio.ts';

const AUDIO = { 'audio/wav': { schema: Binary }, 'audio/mp3': { schema: Binary } };

export const RECORDING_RESPONSES = {
  200: { description: 'The whole recording', content: AUDIO },
  206: { description: 'The part that Range asked for', content: AUDIO },
  304: { description: 'The client has it already', type: 'null' },
  ...errorResponses(401, 404, 416, 429, 503),
} as const;

/** @throws {ApiError} 416, 503 */
export async function sendRecording(
  { headers, method }: Pick<FastifyRequest, 'headers' | 'method'>,
  reply: FastifyReply,
  recording: Recording,
) {
  const tag = entityTag(recording);
  reply.header('accept-ranges', 'bytes').header('etag', tag).header('cache-control', 'private, no-cache');
  if (headers['if-none-match']?.split(',').some((given) => given.trim() === tag)) return reply.code(304).send(null);
  const { range: asked, 'if-range': ifRange } = headers;
  const range = isSame(recording, ifRange?.toString()) ? parseRange(asked, recording.bytes) : null;
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${recording.bytes}`);
    throw refused('RANGE_NOT_SATISFIABLE', 'Range not satisfiable');
  }
  // The framework would read a whole stream for HEAD, and throw it away.
  const body = method === 'HEAD' ? Readable.from([]) : await recording.open(range, whenGone(reply));
  reply.type(recording.contentType).header('last-modified', recording.modifiedAt.toUTCString());
  if (range === null) return reply.header('content-length', recording.bytes).send(body);
  reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${recording.bytes}`);
  return reply.header('content-length', range.last - range.first + 1).send(body);
}
