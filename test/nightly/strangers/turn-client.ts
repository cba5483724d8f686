// A client of a TURN server (RFC 8656) that only asks for a relay and for permissions to reach peers by it, over UDP on
// the loopback.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

interface TurnLogin {
  port: number;
  realm: string;
  username: string;
  credential: string;
}

const ALLOCATE = 0x003;
const CREATE_PERMISSION = 0x008;
const COOKIE = 0x2112a442;
const [USERNAME, INTEGRITY, ERROR_CODE, PEER, REALM, NONCE, TRANSPORT] = [6, 8, 9, 0x12, 0x14, 0x15, 0x19];
const UDP = 17;

function attribute(type: number, value: Buffer): Buffer {
  const whole = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  whole.writeUInt16BE(type, 0);
  whole.writeUInt16BE(value.length, 2);
  value.copy(whole, 4);
  return whole;
}

function attributesIn(message: Buffer): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  for (let at = 20; at + 4 <= message.length; ) {
    const length = message.readUInt16BE(at + 2);
    found.set(message.readUInt16BE(at), message.subarray(at + 4, at + 4 + length));
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return found;
}

/** An IPv4 address as an XOR-PEER-ADDRESS. */
function peerOf(address: string): Buffer {
  const cookie = Buffer.alloc(4);
  cookie.writeUInt32BE(COOKIE, 0);
  const bytes = address.split('.').map((byte, index) => Number(byte) ^ (cookie[index] ?? 0));
  return Buffer.from([0, 1, (80 >> 8) ^ (cookie[0] ?? 0), 80 ^ (cookie[1] ?? 0), ...bytes]);
}

/** The answer to a permission for each address: 200, or its error's code. @throws where there is no relay */
export async function askForPeers(login: TurnLogin, addresses: readonly string[]): Promise<number[]> {
  const { port, realm, username, credential } = login;
  const key = createHash('md5').update(`${username}:${realm}:${credential}`).digest();
  const socket = createSocket('udp4');
  let proof: Buffer[] | null = null;
  const ask = async (type: number, ...attributes: Buffer[]) => {
    const header = Buffer.alloc(20);
    header.writeUInt16BE(type, 0);
    header.writeUInt32BE(COOKIE, 4);
    randomBytes(12).copy(header, 8);
    let body = Buffer.concat([...attributes, ...(proof ?? [])]);
    if (proof !== null) {
      // RFC 8489, 14.5: the length is as it will be with this attribute.
      header.writeUInt16BE(body.length + 24, 2);
      const integrity = createHmac('sha1', key).update(header).update(body).digest();
      body = Buffer.concat([body, attribute(INTEGRITY, integrity)]);
    }
    header.writeUInt16BE(body.length, 2);
    const answered = once(socket, 'message', { signal: AbortSignal.timeout(5_000) });
    socket.send([header, body], port, '127.0.0.1');
    const [answer] = (await answered) as [Buffer];
    const told = attributesIn(answer);
    const error = told.get(ERROR_CODE);
    return { told, code: error === undefined ? 200 : (error[2] ?? 0) * 100 + (error[3] ?? 0) };
  };
  try {
    const transport = attribute(TRANSPORT, Buffer.from([UDP, 0, 0, 0]));
    const { told } = await ask(ALLOCATE, transport);
    proof = [
      attribute(USERNAME, Buffer.from(username)),
      attribute(REALM, Buffer.from(realm)),
      attribute(NONCE, told.get(NONCE) ?? Buffer.alloc(0)),
    ];
    const { code } = await ask(ALLOCATE, transport);
    if (code !== 200) throw new Error(`no relay: ${code}`);
    const codes: number[] = [];
    for (const address of addresses) codes.push((await ask(CREATE_PERMISSION, attribute(PEER, peerOf(address)))).code);
    return codes;
  } finally {
    socket.close();
  }
}
