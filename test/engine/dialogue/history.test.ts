import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addAgent,
  addCaller,
  addCause,
  addToolCall,
  addToolResult,
  cutToHeard,
  emptyHistory,
  type History,
  messagesOf,
  noteMessage,
  replaceCaller,
  type ToolCall,
  withdrawTurn,
} from '../../../engine/dialogue/history.ts';

const booking: ToolCall = {
  id: 'call_1',
  name: 'schedule_appointment',
  arguments: { startsAt: '2026-11-24T10:00:00Z' },
};

function talk(history: History): string[] {
  return messagesOf(history).map((message) => {
    switch (message.role) {
      case 'caller':
        return `caller: ${message.text}`;
      case 'agent':
        return `agent: ${message.text}${message.interrupted ? ' —' : ''}`;
      case 'note':
        return `note: ${message.text}`;
      case 'tool-call':
        return `call ${message.id}`;
      case 'tool-result':
        return `result ${message.id}: ${JSON.stringify(message.result)}`;
    }
    throw new Error('a message of no role');
  });
}

test("the agent's words in the history are those that were heard", () => {
  let history = addCaller(emptyHistory, 2, 'when are you open', true);
  history = addAgent(history, 2, 'We are open from nine to five.');
  history = addAgent(history, 2, 'On Saturdays we close at noon.');
  const cut = cutToHeard(history, 2, 'We are open from nine', true);
  assert.deepEqual(talk(cut), ['caller: when are you open', 'agent: We are open from nine —']);
  assert.deepEqual(talk(cutToHeard(history, 2, '', true)), ['caller: when are you open']);
  assert.deepEqual(
    talk(cutToHeard(history, 2, 'We are open from nine', false)),
    ['caller: when are you open', 'agent: We are open from nine'],
    'speech that broke off by itself was no interruption',
  );
  const whole = 'We are open from nine to five. On Saturdays we close at noon.';
  assert.deepEqual(talk(cutToHeard(history, 2, whole, false)), talk(history));
});

test('a model that speaks itself may tell its last words after its reply: they were heard all the same', () => {
  const caller = addCaller(emptyHistory, 2, 'when are you open', true);
  const own = addAgent(caller, 2, 'We are open from', true);
  const heard = 'We are open from nine to five.';
  assert.deepEqual(talk(cutToHeard(own, 2, heard, false)), ['caller: when are you open', `agent: ${heard}`]);
  assert.deepEqual(talk(cutToHeard(own, 2, 'We are', true)), ['caller: when are you open', 'agent: We are —']);
  const ours = addAgent(caller, 2, 'We are open from');
  assert.deepEqual(talk(cutToHeard(ours, 2, heard, false)), talk(ours));
});

test('words of the caller that another recogniser has understood take the place of ours', () => {
  const history = addAgent(addCaller(emptyHistory, 2, '', false), 2, 'From nine.', true);
  const [caller] = messagesOf(replaceCaller(history, 2, 'when are you open'));
  assert.deepEqual(caller, { role: 'caller', text: 'when are you open', understood: true });
  assert.deepEqual(talk(replaceCaller(history, 3, 'no')), talk(history));
});

test('a reply that was cut after a tool ran keeps the tool and what was said before it', () => {
  let history = addCaller(emptyHistory, 2, 'book me in at ten', true);
  history = addAgent(history, 2, 'One moment please.');
  history = addToolCall(history, 2, booking);
  history = addToolResult(history, 2, booking, { ok: true });
  history = addAgent(history, 2, 'You are booked for ten on Tuesday.');
  assert.deepEqual(talk(cutToHeard(history, 2, 'One moment please. You are', true)), [
    'caller: book me in at ten',
    'agent: One moment please.',
    'call call_1',
    'result call_1: {"ok":true}',
    'agent: You are —',
  ]);
});

test('a result that comes after the caller took the floor is placed next to its call', () => {
  let history = addCaller(emptyHistory, 2, 'book me in at ten', true);
  history = addToolCall(history, 2, booking);
  history = addCaller(history, 3, 'no wait', true);
  assert.deepEqual(talk(history).slice(1), ['call call_1', 'result call_1: {"status":"running"}', 'caller: no wait']);
  history = addToolResult(history, 2, booking, { ok: true });
  assert.deepEqual(talk(history).slice(1), ['call call_1', 'result call_1: {"ok":true}', 'caller: no wait']);
});

test('a withdrawn turn appears once; a tool that ran for it stays', () => {
  let history = addCaller(emptyHistory, 2, 'book me in at ten', true);
  history = addToolCall(history, 2, booking);
  history = withdrawTurn(history, 2);
  history = addToolResult(history, 2, booking, { ok: true });
  history = addCaller(history, 3, 'book me in at ten or better at eleven', true);
  assert.deepEqual(talk(history), [
    'call call_1',
    'result call_1: {"ok":true}',
    'caller: book me in at ten or better at eleven',
  ]);
});

test('a result whose call is missing restores the call, and enters once', () => {
  const once = addToolResult(
    addCause(emptyHistory, null, [noteMessage({ kind: 'digits', digits: '12#' }, 'en-US')]),
    4,
    booking,
    {
      ok: true,
    },
  );
  assert.deepEqual(talk(once), ['note: The caller pressed 12#.', 'call call_1', 'result call_1: {"ok":true}']);
  assert.deepEqual(talk(addToolResult(once, 4, booking, { ok: false })), talk(once));
});

test('a long conversation begins alike in many requests', () => {
  let history = emptyHistory;
  const beginnings = new Set<string>();
  for (let turn = 1; turn <= 120; turn++) {
    history = addAgent(addCaller(history, turn, `question ${turn}`, true), turn, `answer ${turn}`);
    const messages = messagesOf(history);
    assert.ok(messages.length <= 160);
    beginnings.add(JSON.stringify(messages[0]));
  }
  assert.equal(beginnings.size, 3, 'cut twice in 240 messages');
});

type Act =
  | { type: 'caller' | 'agent' | 'withdraw'; epoch: number }
  | { type: 'cut'; epoch: number; words: number }
  | { type: 'call' | 'result'; epoch: number; id: number };
const epoch = fc.integer({ min: 1, max: 6 });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ type: fc.constantFrom('caller' as const, 'agent' as const, 'withdraw' as const), epoch }),
  fc.record({ type: fc.constant('cut' as const), epoch, words: fc.integer({ min: 0, max: 12 }) }),
  fc.record({
    type: fc.constantFrom('call' as const, 'result' as const),
    epoch,
    id: fc.integer({ min: 1, max: 8 }),
  }),
);

test('in any order of events each tool that ran has its result in the history, once, after its call', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
      let history = emptyHistory;
      const ran = new Set<string>();
      for (const each of acts) {
        const call = { id: 'id' in each ? `call_${each.id}` : '', name: 'tool', arguments: {} };
        if (each.type === 'caller') history = addCaller(history, each.epoch, 'words of the caller', true);
        else if (each.type === 'agent') history = addAgent(history, each.epoch, 'words of the agent');
        else if (each.type === 'withdraw') history = withdrawTurn(history, each.epoch);
        else if (each.type === 'cut') history = cutToHeard(history, each.epoch, 'heard '.repeat(each.words), true);
        else if (each.type === 'call') history = addToolCall(history, each.epoch, call);
        else {
          history = addToolResult(history, each.epoch, call, { ran: call.id });
          ran.add(call.id);
        }
      }
      const messages = messagesOf(history);
      const open = new Set<string>();
      const results: string[] = [];
      for (const message of messages) {
        if (message.role === 'tool-call') open.add(message.id);
        else if (message.role === 'tool-result') {
          assert.ok(open.delete(message.id), 'a result follows its call');
          if (!JSON.stringify(message.result).includes('running')) results.push(message.id);
        } else assert.equal(open.size, 0, 'nothing stands between a call and its result');
      }
      assert.equal(open.size, 0);
      assert.deepEqual(results.sort(), [...ran].sort());
    }),
    { numRuns: 2_000, seed: 20_261_121 },
  );
});
