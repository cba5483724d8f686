// Redaction of a call: the agent hears its callers' words as they are, and nothing that is written has the private
// ones.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import type { RedactionPolicy } from '../../../db/domain/redaction/policy.ts';
import { type OperationName, operations } from '../../../db/writing/operations.ts';
import type { Writer } from '../../../db/writing/writer.ts';
import { type CallToGoOn, goOn } from '../../../engine/succession/go-on.ts';
import { Receptionist } from '../../../models/llm/receptionist/receptionist.ts';
import { seedCall } from '../../support/api/resources.ts';
import { useFreshApi } from '../../support/api/use-api.ts';
import { CallStage } from './stage.ts';
import { AUDIO } from './stage-leg.ts';

const api = useFreshApi();
const CARD = '4111 1111 1111 1111';
const POLICY: RedactionPolicy = { kinds: ['card'], transcript: true, webhooks: true, audio: false };

async function conversation(redaction: RedactionPolicy | null) {
  let heard = '';
  const stage = await new CallStage({
    business: { redaction: redaction && JSON.stringify(redaction) },
    model: ({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'caller') heard = last.text;
      if (last?.role === 'tool-result') return [{ type: 'text', text: `I noted ${CARD}.` }];
      return [{ type: 'tool-call', id: 't1', name: 'opt_out', arguments: { reason: `Card ${CARD}` } }];
    },
  }).start(4_000);
  await stage.says(`my card is ${CARD}`, 5_000);
  await stage.hangsUp();
  const [end] = stage.of('endCall');
  assert.ok(end);
  const { transcript, timeline, eventRedaction } = end;
  const kept = stage.writes.filter(({ operation }) => operation !== 'optOut');
  return { heard, transcript: JSON.stringify(transcript), timeline, eventRedaction, kept: JSON.stringify(kept) };
}

test('the agent works with a card that no write has', async () => {
  const { heard, transcript, kept, timeline } = await conversation(POLICY);
  assert.equal(heard, `my card is ${CARD}`);
  assert.match(transcript, /my card is \[card\]/);
  assert.match(transcript, /I noted \[card\]/);
  assert.match(JSON.stringify(timeline), /"reason":"Card \[card\]"/);
  assert.equal(kept.includes('4111'), false);
});

test('without a policy everything is kept as it was said', async () => {
  const { transcript, eventRedaction } = await conversation(null);
  assert.match(transcript, /my card is 4111/);
  assert.equal(eventRedaction, null);
});

test('a transcript that is kept may be left out of the events alone', async () => {
  const { transcript, eventRedaction } = await conversation({ ...POLICY, transcript: false });
  assert.match(transcript, /my card is 4111/);
  assert.deepEqual((eventRedaction as { kinds: string[] }).kinds, ['card']);
});

describe('what a booking is kept with may be left out of the events of a call that goes on', () => {
  const redaction = { ...POLICY, transcript: false };
  const business = (policy: RedactionPolicy | null) => ({ redaction: policy && JSON.stringify(policy) });

  /** A call of the database that has booked. */
  async function booked(): Promise<string> {
    const { id } = await seedCall(api, api.tenant, { status: 'IN_PROGRESS', endedAt: null, engineId: 'eng_dead' });
    const { accountId } = api.tenant;
    await api.context.db
      .insertInto('appointments')
      .values({
        ...{ id: `apt_${id}`, accountId, businessId: 'biz_1', callId: id, service: null, startsAt: 1, endsAt: 2 },
        ...{
          name: null,
          phone: null,
          phoneProved: 0,
          notes: `Card ${CARD}`,
          status: 'booked',
          resource: null,
          sequence: 0,
          history: '[]',
          reference: null,
          eraseAfter: null,
          createdAt: 1,
        },
      })
      .execute();
    return id;
  }

  async function write(name: OperationName, args: unknown): Promise<unknown> {
    const operation = operations[name] as (db: unknown, args: unknown) => Promise<unknown>;
    return await api.context.db.transaction().execute((trx) => operation(trx, args));
  }

  async function told(callId: string, type: string): Promise<string> {
    const query = api.context.read.selectFrom('events').select('data').where('subjectId', '=', callId);
    const { data } = await query.where('type', '=', type).executeTakeFirstOrThrow();
    assert.match(data, /Card /, 'the booking is told');
    return data;
  }

  /** The event of a call of the stage, as it is told of a call that has booked. */
  async function eventOf(stage: CallStage, operation: OperationName, type: string): Promise<string> {
    const [args] = stage.of(operation);
    assert.ok(args, operation);
    const callId = await booked();
    await write(operation, { ...args, callId });
    return told(callId, type);
  }

  async function transferred(policy: RedactionPolicy | null): Promise<string> {
    const destination = {
      ...{ name: 'Al', description: '', target: '+15550000001', hours: null, extensionDigits: null },
      ...{ mode: 'brief', accept: 'key', ringSeconds: 20, order: 1 },
    };
    const stage = new CallStage({
      dialogue: new Receptionist(),
      business: { ...business(policy), transferNumber: null, destinations: JSON.stringify([destination]) },
    });
    await stage.start(8_000);
    await stage.says('can I speak to a person please', 5_000);
    stage.legs[0]?.report({ type: 'answered', audio: AUDIO });
    await stage.run(600);
    await stage.amd('human', 14_000, 'call_1:human:0:0');
    await stage.personPresses('1', 9_000, 'call_1:human:0:0');
    return eventOf(stage, 'markTransferred', 'call.transferred');
  }

  async function inGerman(policy: RedactionPolicy | null): Promise<string> {
    const agent = { language: 'en-US', additionalLanguages: '["de-DE"]' };
    const model = () => [
      { type: 'tool-call' as const, id: 't', name: 'switch_language', arguments: { language: 'de-DE' } },
    ];
    const stage = await new CallStage({ business: business(policy), agent, model }).start(6_000);
    await stage.says('Deutsch, bitte', 9_000);
    return eventOf(stage, 'markLanguage', 'call.language_changed');
  }

  async function resumed(policy: RedactionPolicy | null): Promise<string> {
    const callId = await booked();
    const call = { id: callId, fromNumber: '+15550000001', toNumber: '+15550000002', callerName: null };
    const from = { call, medium: { kind: 'inbound' }, beganAtMs: 0, engineId: 'eng_dead' };
    const setup = { business: business(policy), agent: { language: 'en-US', additionalLanguages: '[]' } };
    await goOn({ left: { from }, setup, owner: 'eng_dead', gapMs: 500, cause: 'crash' } as unknown as CallToGoOn, {
      read: api.context.read,
      writer: { runDurably: write as Writer['runDurably'] },
      switchboard: { resume: () => {} },
      engineId: 'eng_new',
      clock: new CallStage().clock,
      log: pino({ level: 'silent' }),
    });
    return told(callId, 'call.resumed');
  }

  for (const [name, event] of Object.entries({ transferred, inGerman, resumed }))
    test(name, async () => {
      assert.doesNotMatch(await event(redaction), /4111/);
      assert.match(await event(null), /4111/, 'without a policy it is told as it is kept');
    });
});
