// Writes RTP packets as a capture that Wireshark opens: raw IPv4 with UDP, times in microseconds of the wall clock.
import { writeFileSync } from 'node:fs';

/** https://www.tcpdump.org/linktypes.html: the packet begins with its IP header. */
const LINKTYPE_RAW = 101;
const MAGIC = 0xa1b2c3d4;
const IP_BYTES = 20;
const UDP_BYTES = 8;

export interface CapturedPacket {
  /** Ms since the epoch. */
  atMs: number;
  from: { address: string; port: number };
  to: { address: string; port: number };
  payload: Uint8Array;
}

export function writePcap(path: string, packets: readonly CapturedPacket[]): void {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(65_535, 16);
  head.writeUInt32LE(LINKTYPE_RAW, 20);
  writeFileSync(path, Buffer.concat([head, ...packets.flatMap(recordOf)]));
}

function recordOf({ atMs, from, to, payload }: CapturedPacket): Buffer[] {
  const length = IP_BYTES + UDP_BYTES + payload.length;
  const head = Buffer.alloc(16 + IP_BYTES + UDP_BYTES);
  head.writeUInt32LE(Math.floor(atMs / 1_000), 0);
  head.writeUInt32LE(Math.floor((atMs % 1_000) * 1_000), 4);
  head.writeUInt32LE(length, 8);
  head.writeUInt32LE(length, 12);
  const ip = head.subarray(16);
  ip[0] = 0x45;
  ip.writeUInt16BE(length, 2);
  ip[8] = 64;
  ip[9] = 17;
  bytesOf(from.address).copy(ip, 12);
  bytesOf(to.address).copy(ip, 16);
  ip.writeUInt16BE(sumOf(ip.subarray(0, IP_BYTES)), 10);
  const udp = ip.subarray(IP_BYTES);
  udp.writeUInt16BE(from.port, 0);
  udp.writeUInt16BE(to.port, 2);
  udp.writeUInt16BE(UDP_BYTES + payload.length, 4);
  // No checksum: RFC 768 allows it over IPv4.
  return [head, Buffer.from(payload)];
}

const bytesOf = (address: string): Buffer => Buffer.from(address.split('.').map((part) => Number(part) & 0xff));

/** RFC 1071. */
function sumOf(header: Buffer): number {
  let sum = 0;
  for (let at = 0; at < header.length; at += 2) sum += header.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return ~sum & 0xffff;
}
