// Attacks by somebody who registered an account and uses what it may do.
import { readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { seededRandom } from '../../../engine/test-runs/caller/seeded-random.ts';
import { Caller, pause } from '../conversation/scenario.ts';
import { type Attack, ask, count, isOver, must, type Reply, repeatedly } from './attack.ts';

const V1 = '/api/v1';

/** Below the limit of requests of one token, which other attacks are about. */
const PATIENT_MS = 300;

export const blanks: Attack = {
  name: 'a tenant previews a greeting of 2,000 blanks and instructions of 10,000, nine times a second',
  async strike(target, untilMs) {
    const { token, campaignId } = target.tenant;
    const path = `${V1}/campaigns/${campaignId}`;
    const body = { greetingTemplate: `{${' '.repeat(1_998)}!`, instructions: `x${' '.repeat(9_998)}!` };
    await must(target, { method: 'PATCH', path, token, body });
    const preview = async () =>
      (await ask(target, { method: 'POST', path: `${path}/preview`, token, body: {} })).status;
    const statuses = await repeatedly(3, untilMs, preview, PATIENT_MS);
    await must(target, { method: 'PATCH', path, token, body: { greetingTemplate: null, instructions: null } });
    return { words: `previews: ${count(statuses)}`, succeeded: false };
  },
};

/** Premium rate (US, DE), satellite (881, 882), Somalia, Latvia, Cuba, Samoa. */
const DEAR = [
  '+19002345678',
  '+449098790000',
  '+881612345678',
  '+882161234567',
  '+2525912345',
  '+37125012345',
  '+5358123456',
];

export const toll: Attack = {
  name: 'a tenant calls premium rate and satellite numbers, lists them as contacts, and transfers to them',
  async strike(target, untilMs) {
    const { token, campaignId, businessId, numberId } = target.tenant;
    const statuses = await repeatedly(
      1,
      untilMs,
      async (n) => {
        const number = DEAR[n % DEAR.length];
        const requests = [
          { method: 'POST', path: `${V1}/calls`, body: { campaignId, fromPhoneNumberId: numberId, toNumber: number } },
          {
            method: 'POST',
            path: `${V1}/campaigns/${campaignId}/contacts`,
            body: { contacts: [{ phoneNumber: number }] },
          },
          { method: 'PATCH', path: `${V1}/businesses/${businessId}`, body: { transferNumber: number } },
          {
            method: 'PATCH',
            path: `${V1}/businesses/${businessId}`,
            body: { destinations: [{ name: 'Anybody', target: number }] },
          },
          {
            method: 'PATCH',
            path: `${V1}/campaigns/${campaignId}`,
            body: { destinations: [{ name: 'Anybody', target: number }] },
          },
        ];
        const request = requests[n % requests.length];
        return request ? (await ask(target, { ...request, token })).status : 0;
      },
      PATIENT_MS,
    );
    return { words: count(statuses), succeeded: statuses.some((status) => status < 300) };
  },
};

export const everyPlace: Attack = {
  name: 'a tenant places calls, forty at a time, to a number that rings for ever',
  async strike(target, untilMs) {
    const { token, campaignId, numberId } = target.tenant;
    const replies: Reply[] = [];
    await repeatedly(
      40,
      untilMs,
      async () => {
        const body = { campaignId, fromPhoneNumberId: numberId, toNumber: '+12025550199' };
        const reply = await ask(target, { method: 'POST', path: `${V1}/calls`, token, body });
        replies.push(reply);
        return reply.status;
      },
      4_000,
    );
    const placed = replies.flatMap(({ status, text }) =>
      status === 201 ? [(JSON.parse(text) as { data: { id: string } }).data.id] : [],
    );
    for (const id of placed) await ask(target, { method: 'POST', path: `${V1}/calls/${id}/end`, token });
    if (placed.length === 0) throw new Error(`no call was placed: ${replies[0]?.text}`);
    // Whether it took every place is seen by the callers beside it.
    return { words: count(replies.map(({ status }) => status)), succeeded: false };
  },
};

export const moreTokens: Attack = {
  name: 'a tenant makes tokens and asks with all of them',
  async strike(target, untilMs) {
    const { token } = target.secondTenant;
    const tokens: string[] = [];
    for (let n = 0; n < 60; n++) {
      const reply = await ask(target, { method: 'POST', path: `${V1}/auth/tokens`, token, body: { name: `t${n}` } });
      if (reply.status === 201) tokens.push((JSON.parse(reply.text) as { data: { token: string } }).data.token);
    }
    const startedAt = performance.now();
    const statuses = await repeatedly(
      8,
      untilMs,
      async (n) =>
        (await ask(target, { method: 'GET', path: `${V1}/calls`, token: tokens[n % tokens.length] ?? '' })).status,
    );
    const minutes = Math.ceil((performance.now() - startedAt) / 60_000) + 1;
    const served = statuses.filter((status) => status === 200).length;
    // An account's tokens together may ask five times as often as one.
    return { words: `tokens: ${tokens.length}; ${count(statuses)}`, succeeded: served > 5 * 600 * minutes };
  },
};

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? sizeOf(join(entry.parentPath, entry.name)) : 0),
    0,
  );

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    // Gone meanwhile.
    return 0;
  }
}

function document(): { type: string; payload: Buffer } {
  const boundary = 'x-boundary-7';
  const head = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const file = Buffer.alloc(10 * 1024 * 1024 - 100, 0x20);
  file.write('%PDF-1.7\n');
  const payload = Buffer.concat([
    Buffer.from(`${head('kind')}loa\r\n${head('file', '; filename="letter.pdf"\r\nContent-Type: application/pdf')}`),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, payload };
}

/** The disk that the documents and contacts of a STARTER account may take, with the database's needs beside them. */
const DISK_MAX_BYTES = 600e6;

export const disk: Attack = {
  name: 'a tenant uploads letters of 10 MiB to port orders, cancels them, and adds contacts by the thousand',
  async strike(target, untilMs) {
    const { token, campaignId } = target.tenant;
    const before = bytesIn(target.dataDir);
    const bytes = document();
    const statuses = await repeatedly(
      2,
      untilMs,
      async (n) => {
        const phoneNumber = `+1212555${String(1_000 + (n % 8_000))}`;
        const body = { phoneNumber, loaSignedAt: '2026-11-01', accountHolder: 'Ada Ltd' };
        const order = await ask(target, { method: 'POST', path: `${V1}/phone-numbers/port-in`, token, body });
        if (order.status === 201) {
          const path = `${V1}/phone-numbers/port-in/${(JSON.parse(order.text) as { data: { id: string } }).data.id}`;
          await ask(target, { method: 'POST', path: `${path}/documents`, token, bytes });
          await ask(target, { method: 'POST', path: `${path}/cancel`, token });
        }
        const contacts = Array.from({ length: 1_000 }, (_, index) => ({
          phoneNumber: `+1212${String(2_000_000 + ((n * 1_000 + index) % 7_000_000))}`,
          name: 'x'.repeat(200),
        }));
        const path = `${V1}/campaigns/${campaignId}/contacts`;
        return (await ask(target, { method: 'POST', path, token, body: { contacts } })).status;
      },
      PATIENT_MS,
    );
    const grown = bytesIn(target.dataDir) - before;
    return {
      words: `contacts: ${count(statuses)}; DATA_DIR grew by ${Math.round(grown / 1e6)} MB`,
      succeeded: grown > DISK_MAX_BYTES,
    };
  },
};

export const longLists: Attack = {
  name: 'a tenant lists 40 businesses of 800 KB each, twelve times at once',
  async strike(target, untilMs) {
    const { token } = target.thirdTenant;
    const faqs = Array.from({ length: 160 }, () => ({ question: 'q'.repeat(900), answer: 'a'.repeat(4_000) }));
    const made: string[] = [];
    for (let n = 0; n < 40; n++) {
      const body = { name: `Long ${n}`, industry: 'books', timezone: 'UTC', faqs };
      const path = `${V1}/businesses`;
      made.push((await must<{ id: string }>(target, { method: 'POST', path, token, body })).id);
    }
    const list = async () => (await ask(target, { method: 'GET', path: `${V1}/businesses?limit=100`, token })).status;
    const statuses = await repeatedly(12, untilMs, list);
    const served = statuses.filter((status) => status === 200).length;
    for (const id of made) await ask(target, { method: 'DELETE', path: `${V1}/businesses/${id}`, token });
    // Five of them are what an account may have in a minute.
    return { words: count(statuses), succeeded: served > 24 };
  },
};

export const unreadLists: Attack = {
  name: 'a tenant asks for lists, exports and live views on 100 connections, and reads nothing',
  async strike(target, untilMs) {
    const { hostname, port } = new URL(target.apiUrl);
    const { token, campaignId } = target.tenant;
    const paths = ['/voices', `/campaigns/${campaignId}/contacts?limit=100`, '/calls?limit=100', '/live'];
    const sockets = Array.from({ length: 100 }, (_, n) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: '127.0.0.68' });
      socket.on('error', () => {}).pause();
      const head = `GET ${V1}${paths[n % paths.length]} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      socket.write(head.repeat(20));
      return socket;
    });
    await pause(untilMs - performance.now());
    for (const socket of sockets) socket.destroy();
    return { words: '2,000 requests', succeeded: false };
  },
};

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';

/** Words that nobody knows and everybody can pronounce. */
function oddWord(random: () => number): string {
  const pick = (letters: string): string => letters[Math.floor(random() * letters.length)] ?? 'a';
  return Array.from({ length: 5 }, () => pick(CONSONANTS) + pick(VOWELS)).join('');
}

export const oddWords: Attack = {
  name: 'a tenant has a business of 400 made-up services and questions called, with noise on the line',
  models: 'built-in',
  async strike(target, untilMs) {
    const { token, businessId, phoneNumber } = target.tenant;
    const random = seededRandom(7);
    const phrase = (): string => Array.from({ length: 8 }, () => oddWord(random)).join(' ');
    const body = {
      services: Array.from({ length: 200 }, () => ({ name: phrase() })),
      faqs: Array.from({ length: 200 }, () => ({ question: phrase(), answer: 'Yes.' })),
    };
    await must(target, { method: 'PATCH', path: `${V1}/businesses/${businessId}`, token, body });
    const noise = Int16Array.from({ length: 4 * 8_000 }, () => Math.round((random() * 2 - 1) * 12_000));
    const line = async (n: number): Promise<number> => {
      const caller = new Caller(target.sipAddress, 500 + n, phoneNumber);
      try {
        await caller.answered();
        while (!isOver(untilMs)) {
          caller.call.speak(noise);
          await pause(5_000);
        }
        return 200;
      } catch {
        return 0;
      } finally {
        await caller.hangUp();
      }
    };
    const lines = await Promise.all(Array.from({ length: 3 }, (_, n) => line(n)));
    await must(target, {
      method: 'PATCH',
      path: `${V1}/businesses/${businessId}`,
      token,
      body: { services: [], faqs: [] },
    });
    if (!lines.includes(200)) throw new Error('no call was answered');
    return { words: `calls: ${count(lines)}`, succeeded: false };
  },
};

/** Of one calendar in a minute; a run may lie in two. */
const CALENDAR_READS_MAX = 2 * 30;

export const hurriedReaders: Attack = {
  name: 'an assistant lists its tools again and again, and a program reads the calendar of a business without end',
  async strike(target, untilMs) {
    const { token, businessId } = target.secondTenant;
    const path = `${V1}/businesses/${businessId}/calendar-feed`;
    const { url } = await must<{ url: string }>(target, { method: 'POST', path, token, body: {} });
    const { pathname, search } = new URL(url);
    const tools = { method: 'POST', path: '/mcp', token, accept: 'application/json, text/event-stream' };
    const calendar = { method: 'GET', path: pathname + search, from: '127.0.0.93' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const [listed, read] = await Promise.all([
      repeatedly(2, untilMs, async () => (await ask(target, { ...tools, body })).status, PATIENT_MS),
      repeatedly(4, untilMs, async () => (await ask(target, calendar)).status),
    ]);
    return {
      words: `tools: ${count(listed)}; calendar: ${count(read)}`,
      succeeded: read.filter((status) => status === 200).length > CALENDAR_READS_MAX,
    };
  },
};
