// An API with a campaign whose number is at a fake carrier, persons who write to it, and an engine's part of the
// answers beside it: the built-in receptionist over the same tables.
import assert from 'node:assert/strict';
import { beforeEach } from 'node:test';
import { TextJob } from '../../../api/conversations/send.ts';
import type { TestApi } from '../../../bench/rig/api/api.ts';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import type { Db } from '../../../db/schema.ts';
import { transact } from '../../../db/scope.ts';
import { scopeOf } from '../../../db/writing/operation-scopes.ts';
import {
  type OperationArgs,
  type OperationName,
  type OperationResult,
  operations,
} from '../../../db/writing/operations.ts';
import { createCallStore } from '../../../engine/call/store.ts';
import { ModelBreakers } from '../../../engine/dialogue/model-breakers.ts';
import { type TextAgentDeps, textAnswer } from '../../../engine/written/text-agent.ts';
import type { DialogueModel } from '../../../models/llm/llm.ts';
import { Receptionist } from '../../../models/llm/receptionist/receptionist.ts';
import { NO_OWN_TOOLS } from '../no-tools.ts';
import { TWILIO_KEY } from './fake-twilio.ts';
import { type CarrierLab, connect, useCarriers } from './use-carriers.ts';

export const OWN_NUMBER = '+14155550123';
export const PERSON = '+14155550177';
const PUBLIC_URL = 'https://voice.example.com';

interface TextLab extends CarrierLab {
  carrierId: string;
  campaignId: string;
  businessId: string;
  agentId: string;
  /** Where Twilio tells of texts. */
  url: string;
  /** A person's text arrives at Twilio, which tells it. */
  receive(text: string, more?: Record<string, string>): Promise<number>;
  /** Twilio tells what became of a text of ours. */
  tell(sid: string, status: string): Promise<number>;
  /** The engine answers who has waited long enough; returns how many. */
  answer(model?: DialogueModel): Promise<number>;
  /** A round of the job that asks carriers. */
  send(): Promise<void>;
  /** Texts that Twilio has from us, oldest first. */
  sent(): string[];
  /** Arrives, is answered, and the answer is sent: what the person reads. */
  ask(text: string, model?: DialogueModel): Promise<string[]>;
}

let texts = 0;

export function useTexts(business: object = {}, environment: Record<string, string> = {}): TextLab {
  const lab = useCarriers({ environment: { PUBLIC_URL, ...environment } }) as TextLab;
  beforeEach(async () => {
    const { api, twilio } = lab;
    twilio.nowMs = () => api.clock.now;
    const { admin } = api;
    lab.carrierId = await connect(api, TWILIO_KEY);
    lab.url = `${PUBLIC_URL}/api/v1/carriers/${lab.carrierId}/texts`;
    await must(admin.ask('POST', `/admin/carriers/${lab.carrierId}/trunk`, {}));
    const voiceId = (await must(admin.ask('GET', '/voices'))).data[0]?.id ?? '';
    lab.agentId = (await must(admin.ask('POST', '/agents', { name: 'Ada', voiceId, language: 'en-US' }))).data.id;
    lab.businessId = (await must(admin.ask('POST', '/businesses', { ...RIVERA, ...business }))).data.id;
    const of = { agentId: lab.agentId, businessId: lab.businessId };
    lab.campaignId = (await must(admin.ask('POST', '/campaigns', { name: 'Front desk', ...of }))).data.id;
    twilio.forSale.set(OWN_NUMBER, { kind: 'Local', country: 'US' });
    await admin.ask('GET', '/phone-numbers/search?country=US');
    await must(admin.ask('POST', '/phone-numbers/purchase', { phoneNumber: OWN_NUMBER, campaignId: lab.campaignId }));
    await must(admin.ask('POST', `/campaigns/${lab.campaignId}/start`));
  });
  Object.assign(lab, {
    receive: (text: string, more: Record<string, string> = {}) => {
      const fields = { MessageSid: `SM${String(++texts).padStart(32, '0')}`, From: PERSON, To: OWN_NUMBER, Body: text };
      return post(lab.api, lab.twilio.signed(lab.url, { ...fields, NumMedia: '0', SmsStatus: 'received', ...more }));
    },
    tell: (sid: string, status: string) => {
      const url = lab.twilio.messages.get(sid)?.callback ?? '';
      return post(lab.api, lab.twilio.signed(url, { MessageSid: sid, MessageStatus: status, To: PERSON }));
    },
    answer: (model?: DialogueModel) => answerInWriting(lab.api, model),
    send: async () => {
      const job = new TextJob(lab.api.context);
      await job.run();
      await job.settled();
    },
    sent: () => [...lab.twilio.messages.values()].map(({ body }) => body ?? ''),
    ask: async (text: string, model?: DialogueModel) => {
      const before = lab.sent().length;
      assert.equal(await lab.receive(text), 200);
      await lab.answer(model);
      await lab.send();
      return lab.sent().slice(before);
    },
  });
  return lab;
}

/** The engine's part: it answers who has waited long enough; returns how many. */
export async function answerInWriting(
  api: TestApi,
  model: DialogueModel = new Receptionist(),
  tools: TextAgentDeps['tools'] = NO_OWN_TOOLS,
): Promise<number> {
  api.clock.advance(2_000);
  const { context } = api;
  const run = writerOf(context.db).run;
  for (let answered = 0; ; answered++) {
    const nowMs = context.now();
    const ofEngine = { engineId: 'e1', underWay: {}, perAccount: 1 };
    const claimed = await run('claimConversation', { ...ofEngine, nowMs, untilMs: nowMs + 30_000 });
    const found = claimed.conversation;
    if (found === null) return answered;
    const answer = await textAnswer({ ...agentDeps(api, model), tools }, found, new AbortController().signal);
    const claim = { conversationId: found.id, engineId: 'e1', attempt: found.attempts };
    await run('answerConversation', { ...claim, ...answer, nowMs: context.now() });
  }
}

/** A business that is open on weekdays, and books check-ups. */
const RIVERA = {
  name: 'Rivera Dental',
  industry: 'dentist',
  timezone: 'America/Los_Angeles',
  hours: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((day) => ({
    day,
    open: '09:00',
    close: '17:00',
  })),
  services: [{ name: 'Check-up', duration: 30, price: 80 }],
};

async function must<T>(answer: Promise<{ status: number; text: string; json: T }>): Promise<T> {
  const { status, text, json } = await answer;
  assert.ok(status < 300, text);
  return json;
}

export async function post(api: TestApi, request: { url: string; headers: object; body: string }): Promise<number> {
  const { url, headers, body } = request;
  const answer = await api.inject({
    ...{ method: 'POST', url: url.replace(PUBLIC_URL, ''), payload: body },
    headers: headers as Record<string, string>,
  });
  return answer.status;
}

/** The operations of an engine's writer, without its thread. */
function writerOf(db: Db) {
  const run = <N extends OperationName>(name: N, args: OperationArgs<N>): Promise<OperationResult<N>> =>
    transact(db, scopeOf(name, args), (tx) =>
      (operations[name] as (tx: Db, args: never) => Promise<unknown>)(tx, args as never),
    ) as Promise<OperationResult<N>>;
  return { run, runWithin: run };
}

function agentDeps({ context, clock: of }: TestApi, model: DialogueModel): TextAgentDeps {
  const { db, read, secretKey, log } = context;
  const clock = new VirtualClock(of.now);
  const store = createCallStore(read, null);
  return {
    ...{ read, secretKey, log, model, clock, store, documents: store, tools: NO_OWN_TOOLS, voices: () => [] },
    ...{ writer: writerOf(db), breakers: new ModelBreakers(clock), llmTimeoutMs: 8_000 },
  };
}
