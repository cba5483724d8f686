// Public files served from memory: created and compressed once; every request gets the same buffer.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
/** Higher qualities take seconds and save only a few bytes. */
const BROTLI_QUALITY = 9;

export interface Asset {
  type: string;
  body: Buffer;
  /** Null for what is packed already. */
  encoded: { br: Buffer; gzip: Buffer } | null;
  etag: string;
}

export async function makeAsset(type: string, body: Buffer): Promise<Asset> {
  const etag = tagOf(body);
  if (type.startsWith('font/')) return { type, body, encoded: null, etag };
  const [br, gzipped] = await Promise.all([
    brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    zip(body),
  ]);
  return { type, body, encoded: { br, gzip: gzipped }, etag };
}

export const tagOf = (body: string | Buffer): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/** Sends the asset in the client's preferred encoding among the available ones; 304 if the client has the file. */
export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply, cacheControl: string) {
  reply.header('cache-control', cacheControl).header('vary', 'Accept-Encoding').header('etag', asset.etag);
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send();
  const accepted = asset.encoded === null ? '' : String(request.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.type(asset.type).send((encoding && asset.encoded?.[encoding]) ?? asset.body);
}
