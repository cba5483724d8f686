// Strangers flood the SIP port with thousands of OPTIONS and INVITEs a second, from an address that is not allowed,
// while a caller repeatedly calls, hears the agent and hangs up.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { parseTarget } from '../../engine/test-runs/caller/sip.ts';
import { Caller, INSTANT, pause, withService } from '../rig/conversation/scenario.ts';
import { rowOf } from '../rig/measure/statistics.ts';
import { part } from '../rig/part.ts';

const USAGE = `usage: npm run bench -- flood [--packets N] [--seconds N]
  N packets a second (default 2,000) for N seconds (default 20)`;

const STRANGER = '127.0.0.130';
const TICK_MS = 10;

interface Flood {
  sent: number;
  /** Answers by status. */
  answers: Map<number, number>;
  stop(): void;
}

function requestOf(number: number, port: number, target: string): Buffer {
  const method = number % 2 === 0 ? 'OPTIONS' : 'INVITE';
  const lines = [
    `${method} sip:demo@${target} SIP/2.0`,
    `Via: SIP/2.0/UDP ${STRANGER}:${port};branch=z9hG4bKflood${number};rport`,
    'Max-Forwards: 70',
    `From: <sip:scan@${STRANGER}>;tag=f${number}`,
    `To: <sip:demo@${target}>`,
    `Call-ID: flood-${number}`,
    `CSeq: 1 ${method}`,
    `Contact: <sip:scan@${STRANGER}:${port}>`,
    'Content-Length: 0',
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

async function startFlood(sipAddress: string, packetsPerSecond: number): Promise<Flood> {
  const { host, port } = parseTarget(`sip:demo@${sipAddress}`);
  const socket: Socket = createSocket('udp4');
  socket.bind(0, STRANGER);
  await once(socket, 'listening');
  const answers = new Map<number, number>();
  socket.on('message', (datagram) => {
    const status = Number(/^SIP\/2\.0 (\d{3})/.exec(datagram.toString('latin1', 0, 16))?.[1] ?? 0);
    answers.set(status, (answers.get(status) ?? 0) + 1);
  });
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1_000) * packetsPerSecond;
    for (; flood.sent < due; flood.sent++) {
      socket.send(requestOf(flood.sent, socket.address().port, sipAddress), port, host);
    }
  }, TICK_MS);
  const flood: Flood = {
    sent: 0,
    answers,
    stop: () => {
      clearInterval(timer);
      socket.close();
    },
  };
  return flood;
}

interface Outcome {
  answerMs: number[];
  failures: string[];
}

/** Calls repeatedly for `durationMs`; each call is answered, heard and hung up before the next one begins. */
async function callRepeatedly(sipAddress: string, durationMs: number): Promise<Outcome> {
  const outcome: Outcome = { answerMs: [], failures: [] };
  const untilMs = performance.now() + durationMs;
  for (let index = 0; performance.now() < untilMs; index++) {
    const caller = new Caller(sipAddress, index);
    const placedAt = performance.now();
    try {
      await caller.answered();
      const answeredMs = performance.now() - placedAt;
      await caller.agentSound(0);
      await caller.hangUp();
      if (!caller.ended) throw new Error('BYE was not answered');
      outcome.answerMs.push(answeredMs);
    } catch (error) {
      outcome.failures.push(error instanceof Error ? error.message : String(error));
      await caller.hangUp();
    }
  }
  return outcome;
}

export default part(USAGE, { packets: 2_000, seconds: 20 }, ({ packets: packetsPerSecond, seconds }) => {
  const durationMs = seconds * 1_000;
  return withService({ ...INSTANT, SIP_INBOUND_ALLOW: '127.0.0.1/32' }, async ({ sipAddress }) => {
    const quiet = await callRepeatedly(sipAddress, durationMs / 4);
    const strangers = await startFlood(sipAddress, packetsPerSecond);
    const under = await callRepeatedly(sipAddress, durationMs);
    const { sent } = strangers;
    await pause(500);
    strangers.stop();
    const answered = [...strangers.answers.values()].reduce((sum, count) => sum + count, 0);
    const byStatus = [...strangers.answers].map(([status, count]) => `${status}: ${count}`).join(', ');
    return {
      title: 'Strangers at the SIP port',
      rows: [
        rowOf('INVITE to 200, no strangers', quiet.answerMs),
        rowOf(`INVITE to 200, ${packetsPerSecond} packets/s`, under.answerMs, 'no call fails'),
      ],
      samples: { quiet: quiet.answerMs, flood: under.answerMs },
      lines: [
        `calls served beside the flood: ${under.answerMs.length}, failed: ${under.failures.length}`,
        `strangers' packets: ${sent}, answered ${answered} (${byStatus}), dropped ${sent - answered}`,
        ...under.failures.slice(0, 5).map((failure) => `failed: ${failure}`),
      ],
      data: {
        served: under.answerMs.length,
        failures: under.failures,
        sent,
        answers: Object.fromEntries(strangers.answers),
      },
    };
  });
});
