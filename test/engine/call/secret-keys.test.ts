// Numbers that nobody reads: how an entry ends, what is known of it, and that no write of a call has a digit of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../bench/rig/clock.ts';
import { SecretKeys } from '../../../engine/call/secret-keys.ts';
import { Receptionist } from '../../../models/llm/receptionist/receptionist.ts';
import { CallStage } from './stage.ts';

const CARD = '4111111111111111';
const CARD_WISH = { minDigits: 13, maxDigits: 19, hasCheckDigit: true };

function stage() {
  const clock = new VirtualClock();
  const secret: boolean[] = [];
  const keys = new SecretKeys({ clock, setSecret: (isSecret) => secret.push(isSecret) });
  const press = (text: string) => {
    for (const key of text) keys.press(key);
  };
  return { clock, secret, keys, press };
}

test('an entry ends with #, with its last digit, or with a pause', async () => {
  for (const end of [
    ({ press }: ReturnType<typeof stage>) => press(`${CARD}#`),
    ({ press, clock }: ReturnType<typeof stage>) => {
      press(CARD);
      clock.advance(20_000);
    },
    ({ press }: ReturnType<typeof stage>) => press(`411*${CARD}#`),
  ]) {
    const on = stage();
    const collected = on.keys.collect(CARD_WISH);
    assert.deepEqual(on.secret, [true]);
    end(on);
    const answer = await collected;
    assert.ok(answer.ok);
    assert.deepEqual([answer.digits, on.secret], [16, [true]], 'the last tone may still sound');
    on.press('7');
    on.clock.advance(3_000);
    assert.deepEqual(on.secret, [true, false]);
    assert.match(answer.reference, /^secret:[\w-]{16}$/);
    assert.equal(JSON.stringify(answer).includes('4111'), false);
  }
  const short = stage();
  const pin = short.keys.collect({ minDigits: 4, maxDigits: 4, hasCheckDigit: false });
  short.press('1234');
  assert.ok((await pin).ok, 'without a #');
});

test('what is wrong is said without the digits', async () => {
  const wrong = async (keyed: string) => {
    const { keys, press } = stage();
    const collected = keys.collect(CARD_WISH);
    press(keyed);
    const answer = await collected;
    assert.equal(answer.ok, false);
    return answer.ok || answer.error;
  };
  assert.equal(await wrong('#'), 'nothing_keyed');
  assert.equal(await wrong('41111#'), 'too_short');
  assert.equal(await wrong('4111111111111112#'), 'wrong_check_digit');
  const retry = stage();
  const first = retry.keys.collect(CARD_WISH);
  retry.press('41111#');
  await first;
  retry.press('22222');
  assert.deepEqual(retry.secret, [true], 'who has to begin anew keys on before the agent has said so');
  const again = retry.keys.collect(CARD_WISH);
  retry.press(`${CARD}#`);
  assert.ok((await again).ok, 'what was keyed between the two is of neither');
  const { keys, clock } = stage();
  const never = keys.collect(CARD_WISH);
  const second = await keys.collect(CARD_WISH);
  assert.equal(!second.ok && second.error, 'busy');
  clock.advance(90_000);
  const answer = await never;
  assert.equal(!answer.ok && answer.error, 'nothing_keyed');
});

test('a reference is worth its number until a tool has taken it, and nothing after the call', async () => {
  const { keys, press } = stage();
  const collected = keys.collect(CARD_WISH);
  press(`${CARD}#`);
  const { reference } = (await collected) as { reference: string };
  const args = { payment: { card: reference, amount: 12 }, note: `card ${reference}` };
  assert.deepEqual(keys.revealed(args), { payment: { card: CARD, amount: 12 }, note: `card ${CARD}` });
  const repeated = {
    said: `charged ${CARD}`,
    number: Number(CARD),
    [CARD]: ['4111 1111 1111 1111', '4111-1111-1111-1111'],
  };
  assert.deepEqual(keys.hidden(repeated), {
    ...{ said: 'charged [secret]', number: '[secret]' },
    '[secret]': ['[secret]', '[secret]'],
  });
  keys.spent(args);
  assert.deepEqual(keys.revealed(args), args);
  assert.deepEqual(keys.hidden({ later: CARD }), { later: '[secret]' }, 'also once it is spent');
  const again = keys.collect(CARD_WISH);
  press(`${CARD}#`);
  const second = (await again) as { reference: string };
  keys.close();
  assert.equal(keys.revealed(second.reference), second.reference);
  const over = await keys.collect(CARD_WISH);
  assert.equal(!over.ok && over.error, 'over');
});

test('a short number hides nothing but itself', async () => {
  const { keys, press } = stage();
  const collected = keys.collect({ minDigits: 1, maxDigits: 1, hasCheckDigit: false });
  press('1');
  await collected;
  assert.deepEqual(keys.hidden({ pin: '1', amount: 1, text: 'order 1221' }), {
    ...{ pin: '[secret]', amount: '[secret]', text: 'order 1221' },
  });
});

test('another process was told a number: what is still keyed is secret and of no use, until the agent asks again', async () => {
  const { keys, press, secret, clock } = stage();
  keys.discard();
  press('4111');
  const collected = keys.collect(CARD_WISH);
  press(`${CARD}#`);
  assert.ok((await collected).ok);
  clock.advance(3_000);
  assert.deepEqual(secret, [true, false]);
});

test('in a call no write, no note and no message to the model has a digit of it', async () => {
  const seen: string[] = [];
  const call = await new CallStage({
    model: ({ messages }) => {
      seen.push(JSON.stringify(messages));
      const last = messages.at(-1);
      if (last?.role !== 'caller') return [{ type: 'text', text: 'Thank you.' }];
      return [
        { type: 'text', text: 'Please key in your card and press hash.' },
        { type: 'tool-call', id: 't1', name: 'collect_digits', arguments: { what: 'the card', isCard: true } },
      ];
    },
  }).start(4_000);
  await call.says('I want to pay', 6_000);
  for (const digit of `${CARD}#`) await call.reports({ type: 'secret-digit', callId: 'call_1', digit }, 300);
  await call.run(4_000);
  assert.match(seen.at(-1) ?? '', /secret:[\w-]{16}/, 'the model has the reference');
  await call.hangsUp();
  const [end] = call.of('endCall');
  assert.match(JSON.stringify(end?.timeline), /"reference":"secret:/);
  assert.equal(JSON.stringify([seen, call.writes, call.lines]).includes('4111'), false);
});

test('a client of the API has the caller key it in: the model gets the reference and goes on', async () => {
  const seen: string[] = [];
  const call = await new CallStage({
    model: ({ messages }) => {
      seen.push(JSON.stringify(messages));
      return [{ type: 'text', text: 'Thank you.' }];
    },
  }).start(4_000);
  await call.controls({ kind: 'collect-digits', text: 'Please key in your card.', isCard: true }, 4_000);
  assert.match(call.timeline(), /agent: Please key in your card\./);
  await call.controls({ kind: 'collect-digits', text: null }, 200);
  assert.match(call.timeline(), /DIGITS_UNDER_WAY/);
  for (const digit of `${CARD}#`) await call.reports({ type: 'secret-digit', callId: 'call_1', digit }, 300);
  await call.run(4_000);
  assert.match(seen.at(-1) ?? '', /collect_digits.*secret:[\w-]{16}/);
  assert.match(call.timeline(), /agent: Thank you\./);
  await call.hangsUp();
  const [end] = call.of('endCall');
  assert.match(JSON.stringify(end?.timeline), /"reference":"secret:/);
  assert.equal(JSON.stringify([seen, call.writes, call.lines]).includes('4111'), false);
});

test('the receptionist has no use for a number that nobody reads', async () => {
  const call = await new CallStage({ dialogue: new Receptionist() }).start(4_000);
  await call.controls({ kind: 'collect-digits', text: null }, 200);
  assert.match(call.timeline(), /AGENT_TAKES_NO_INSTRUCTIONS/);
});
