// Attacks by texts that take long to read. Each is sent in turns with a control, a text as long that is read as fast as
// any: an attack gains something where its answers take many times as long as the control's.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { encodeWav } from '../../../media/wav.ts';
import { pause } from '../conversation/scenario.ts';
import { summarise } from '../measure/statistics.ts';
import { type Attack, ask, count, type Gain, isOver, must, repeatedly, type Target } from './attack.ts';

const V1 = '/api/v1';
const PATIENT_MS = 300;
/** An answer that takes so many times as long as the control's, and so long, holds up everybody else. */
const TIMES = 10;
const HELD_UP_MS = 500;

interface Text {
  control: string;
  attack: string;
}

/** Sends both in turns until the time is over. `send` returns the status of the answer. */
async function inTurns(
  { control, attack }: Text,
  untilMs: number,
  send: (text: string) => Promise<number>,
): Promise<Gain> {
  const tookMs: { control: number[]; attack: number[] } = { control: [], attack: [] };
  const statuses: number[] = [];
  while (!isOver(untilMs) || tookMs.attack.length === 0) {
    for (const [kind, text] of [['control', control] as const, ['attack', attack] as const]) {
      const startedAt = performance.now();
      statuses.push(await send(text));
      tookMs[kind].push(performance.now() - startedAt);
      await pause(PATIENT_MS);
    }
  }
  const plain = summarise(tookMs.control).p50;
  const hostile = summarise(tookMs.attack).p50;
  return {
    words: `control ${plain} ms, attack ${hostile} ms; ${count(statuses)}`,
    succeeded: hostile > HELD_UP_MS && hostile > plain * TIMES,
  };
}

const LINE_BYTES = 65_000;

export const longLine: Attack = {
  name: 'a stranger sends one line of 65,000 blanks over SIP/TCP, again and again',
  strike: (target, untilMs) =>
    inTurns({ control: `l: a${'a'.repeat(LINE_BYTES)}b`, attack: `l: a${' '.repeat(LINE_BYTES)}b` }, untilMs, (line) =>
      overTcp(target, `OPTIONS sip:x SIP/2.0\r\n${line}\r\n\r\n`),
    ),
};

/** The status of the answer; 0: the connection was closed without one. */
async function overTcp({ sipAddress }: Target, text: string): Promise<number> {
  const [host = '', port = ''] = sipAddress.split(':');
  const socket = connect({ host, port: Number(port) });
  const closed = once(socket, 'close').catch(() => null);
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1');
    socket.end();
  });
  socket.on('error', () => {});
  socket.write(text);
  await closed;
  return Number(/^SIP\/2\.0 (\d{3})/.exec(answer)?.[1] ?? 0);
}

const HEADING_CHARS = 49_900;

export const longHeading: Attack = {
  name: 'a tenant hands in documents whose one heading is 49,900 blanks between two letters',
  async strike(target, untilMs) {
    const { token, businessId } = target.tenant;
    const path = `${V1}/businesses/${businessId}/documents`;
    const text = { control: `# a${'x'.repeat(HEADING_CHARS)}b`, attack: `# a${' '.repeat(HEADING_CHARS)}b` };
    return inTurns(text, untilMs, async (written) => {
      const body = { kind: 'markdown', name: 'Rules', text: `${written}\n\nBe kind.` };
      const reply = await ask(target, { method: 'POST', path, token, body });
      if (reply.status !== 201 && reply.status !== 202) return reply.status;
      const { id } = (JSON.parse(reply.text) as { data: { id: string } }).data;
      await must(target, { method: 'DELETE', path: `${path}/${id}`, token }).catch(() => null);
      return reply.status;
    });
  },
};

const TABLE_CHARS = 100_000;

export const quotedTable: Attack = {
  name: 'a tenant adds contacts by a table of single quotes, whose separator comes behind 50,000 blanks',
  strike(target, untilMs) {
    const { token, campaignId } = target.tenant;
    const path = `${V1}/campaigns/${campaignId}/contacts`;
    const text = {
      control: `phone,${'x'.repeat(TABLE_CHARS)},`,
      attack: `phone,"${'"x'.repeat(TABLE_CHARS / 4)}${' '.repeat(TABLE_CHARS / 2)},`,
    };
    return inTurns(text, untilMs, async (table) => {
      const bytes = { type: 'text/csv', payload: Buffer.from(table) };
      return (await ask(target, { method: 'POST', path, token, bytes })).status;
    });
  },
};

/** Outputs whose schemas fill what one may have. */
const outputs = (properties: number): string =>
  JSON.stringify({
    outputs: Array.from({ length: 30 }, (_, n) => ({
      name: `output_${n}`,
      description: 'What was said.',
      schema: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: properties }, (__, m) => [`p${m}`, { type: 'string' }])),
      },
    })),
  });

export const wideSchemas: Attack = {
  name: 'a tenant wants 30 outputs of 400 properties each',
  strike: (target, untilMs) =>
    inTurns({ control: outputs(5), attack: outputs(400) }, untilMs, async (body) => {
      const { token, businessId } = target.tenant;
      const path = `${V1}/businesses/${businessId}`;
      return (await ask(target, { method: 'PATCH', path, token, body: JSON.parse(body) })).status;
    }),
};

export const manySounds: Attack = {
  name: 'a tenant brings hold music of 10 MB, 24 times at once',
  async strike(target, untilMs) {
    const { token, businessId } = target.tenant;
    const path = `${V1}/businesses/${businessId}/hold-music`;
    const payload = encodeWav({ sampleRateHz: 48_000, channels: 1 }, new Int16Array(100 * 48_000).fill(1_000));
    const bring = async () =>
      (await ask(target, { method: 'PUT', path, token, bytes: { type: 'audio/wav', payload } })).status;
    const alone = await bring();
    const statuses = await repeatedly(24, untilMs, bring, PATIENT_MS);
    // How much memory it took is seen beside it.
    return { words: `alone ${alone}; ${count(statuses)}`, succeeded: alone !== 200 };
  },
};

/** A list of calendars has no more. */
const XML_BYTES = 250_000;

export const nestedCalendar: Attack = {
  name: 'a tenant’s CalDAV server answers with 80,000 elements in one another',
  async strike(target, untilMs) {
    const { token, businessId } = target.tenant;
    let answer = '';
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(207, { 'content-type': 'application/xml' }).end(answer);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const body = { kind: 'caldav', url: `http://127.0.0.1:${port}/`, username: 'a', password: 'b' };
    const path = `${V1}/businesses/${businessId}/calendars`;
    const of = (element: string): string => `<multistatus>${element.repeat(XML_BYTES / element.length)}`;
    try {
      return await inTurns({ control: of('<a/>'), attack: of('<a>') }, untilMs, async (text) => {
        answer = text;
        return (await ask(target, { method: 'POST', path, token, body })).status;
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
};
