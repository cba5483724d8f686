// Attacks by somebody who has read a public key in the source of a web site, while an honest visitor of that site asks
// too, or one of another site.
import { pause } from '../conversation/scenario.ts';
import { type Attack, ask, count, isOver, must, type Reply, repeatedly, type Target, type Tenant } from './attack.ts';

const V1 = '/api/v1';
const SITE = 'https://www.shop.example';
const HONEST = '127.0.0.90';
const QUESTION = 'What are your opening hours?';

interface Key {
  id: string;
  key: string;
}

/** The caps of its account are what an attack may take; they are higher where an attack is about something else. */
const makeKey = (target: Target, { token, campaignId }: Tenant, caps: object = {}): Promise<Key> =>
  must<Key>(target, {
    method: 'POST',
    path: `${V1}/widget-keys`,
    token,
    body: { campaignId, name: 'Site', origins: [SITE], ...caps },
  });

const visit = (target: Target, { key }: Key, path: string, from: string, body: object = {}): Promise<Reply> =>
  ask(target, { method: 'POST', path: `${V1}/widget/${key}${path}`, origin: SITE, from, body });

/** An honest visitor asks twice a second. Returns the statuses of the answers. */
const honestly = (untilMs: number, asks: () => Promise<Reply>): Promise<number[]> =>
  repeatedly(1, untilMs, async () => (await asks()).status, 500);

const refusals = (statuses: readonly number[]): number => statuses.filter((status) => status >= 300).length;

export const usedUpKey: Attack = {
  name: 'one network asks for all that the visitors of a web site may ask',
  async strike(target, untilMs) {
    const key = await makeKey(target, target.tenant);
    const attack = repeatedly(8, untilMs, async () => (await visit(target, key, '', '127.0.0.91')).status);
    await pause(500);
    const honest = await honestly(untilMs, () => visit(target, key, '', HONEST));
    return {
      words: `attacker: ${count(await attack)}; honest visitor: ${count(honest)}`,
      succeeded: refusals(honest) > 0,
    };
  },
};

interface Written {
  visitor: string;
  message: { id: string };
}

/** More than one key has places for those who wait. */
const WAITING = 70;
/** An answer in less than this was not waited for. */
const AT_ONCE_MS = 1_000;

export const heldReads: Attack = {
  name: 'one network waits for news on every place of a web site',
  async strike(target, untilMs) {
    const key = await makeKey(target, target.tenant, { messagesPerDay: 10_000 });
    const begun = await visit(target, key, '/messages', '127.0.0.92', { text: QUESTION });
    const { visitor } = (JSON.parse(begun.text) as { data: Written }).data;
    let after = '';
    for (let told = ''; !told.includes('"isAnswering":false') && !isOver(untilMs); await pause(200)) {
      told = (await visit(target, key, '/messages/read', '127.0.0.92', { visitor })).text;
      after = (JSON.parse(told) as { data: { messages: Array<{ id: string }> } }).data.messages.at(-1)?.id ?? '';
    }
    const read = (from: string) => visit(target, key, '/messages/read', from, { visitor, after, wait: true });
    const attack = repeatedly(WAITING, untilMs, async () => (await read('127.0.0.92')).status);
    await pause(500);
    const waited: number[] = [];
    while (untilMs - performance.now() > 2 * AT_ONCE_MS) {
      const beganMs = performance.now();
      await Promise.race([read(HONEST), pause(untilMs - AT_ONCE_MS - performance.now())]);
      waited.push(performance.now() - beganMs);
      await pause(100);
    }
    const statuses = await Promise.race([attack, pause(1_000).then(() => [])]);
    const hurried = waited.filter((ms) => ms < AT_ONCE_MS).length;
    return {
      words: `answers to the attacker by then: ${count(statuses)}; of ${waited.length} of an honest visitor's, ${hurried} at once`,
      succeeded: hurried > 0,
    };
  },
};

const CALLS_AT_ONCE = 5;

export const heldPlaces: Attack = {
  name: 'one network holds the calls that a web site may have at once',
  async strike(target, untilMs) {
    const key = await makeKey(target, target.tenant, { callsAtOnce: CALLS_AT_ONCE });
    const begin = async (from: string) => (await visit(target, key, '/calls', from)).status;
    const attack = repeatedly(2, untilMs, () => begin('127.0.0.93'), 200);
    await pause(2_000);
    const first = await begin(HONEST);
    const statuses = await attack;
    return {
      words: `attacker: ${count(statuses)}; the first call of an honest visitor: ${first}`,
      succeeded: first !== 201,
    };
  },
};

const MESSAGES_A_DAY = 40;
const NETWORKS = 30;

export const everyVisit: Attack = {
  name: 'thirty networks begin calls that nobody joins, and conversations, by one public key',
  async strike(target, untilMs) {
    const caps = { callsAtOnce: CALLS_AT_ONCE, messagesPerDay: MESSAGES_A_DAY };
    const key = await makeKey(target, target.tenant, caps);
    const other = await makeKey(target, target.secondTenant);
    const begun = { calls: 0, messages: 0 };
    const attack = repeatedly(8, untilMs, async (n) => {
      const what = n % 2 === 0 ? 'calls' : 'messages';
      const body = what === 'calls' ? {} : { text: `${QUESTION} ${n}` };
      const { status } = await visit(target, key, `/${what}`, `127.0.0.${100 + (n % NETWORKS)}`, body);
      if (status === 201) begun[what]++;
      return status;
    });
    const honest = await honestly(untilMs, () => visit(target, other, '', HONEST));
    const written = await visit(target, other, '/messages', HONEST, { text: QUESTION });
    const called = await visit(target, other, '/calls', HONEST);
    const statuses = await attack;
    const isBeyond = begun.calls > CALLS_AT_ONCE || begun.messages > MESSAGES_A_DAY;
    return {
      words: `attacker: ${count(statuses)}, ${begun.calls} calls, ${begun.messages} messages; a visitor of another site: ${count([...honest, written.status, called.status])}`,
      succeeded: isBeyond || refusals([...honest, written.status, called.status]) > 0,
    };
  },
};
