// How a call's description is kept: as JSON, packed, and sealed with the installation's key.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sealBytes, unsealBytes } from '../../db/shared/secrets/secret-box.ts';

/** Longer ones shrink to a third of their length. */
const PLAIN_MAX_BYTES = 7_000;
const DEFLATE = { level: 1 };
/** Of a stored block that is the last one (RFC 1951 3.2.4). */
const STORED = 1;
const BLOCK_HEADER_BYTES = 5;

/**
 * In the format of deflate (RFC 1951). A short text is stored in it as it is: to inflate takes a window of 32 KB each
 * time, and the garbage of many calls took as long as all the rest of going on with them.
 */
function pack(json: string): Buffer {
  const bytes = Buffer.from(json);
  if (bytes.length > PLAIN_MAX_BYTES) return deflateRawSync(bytes, DEFLATE);
  const header = Buffer.alloc(BLOCK_HEADER_BYTES);
  header.writeUInt8(STORED, 0);
  header.writeUInt16LE(bytes.length, 1);
  header.writeUInt16LE(bytes.length ^ 0xffff, 3);
  return Buffer.concat([header, bytes]);
}

function unpack(packed: Buffer): string {
  const isStored = packed[0] === STORED && packed.readUInt16LE(1) === packed.length - BLOCK_HEADER_BYTES;
  return (isStored ? packed.subarray(BLOCK_HEADER_BYTES) : inflateRawSync(packed)).toString('utf8');
}

/** `context`: whose it is; it opens under the same one only. */
export const sealJson = (key: Buffer, context: string, json: string): Buffer => sealBytes(key, context, pack(json));

/** @throws if it is damaged, of another context, or sealed with another key */
export const openJson = (key: Buffer, context: string, box: Buffer): unknown =>
  JSON.parse(unpack(unsealBytes(key, context, box)));

/** Of what the database has of a call. */
export const sharedContext = (callId: string): string => `continuation ${callId}`;
