// The first words to the caller when another process has gone on with the call, and the history of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Continuation, TakenCall } from '../../../../engine/call/going-on/continuation.ts';
import {
  heardAgainAt,
  heardOf,
  heardWords,
  lastLifeMs,
  lostWords,
  requestAfterGap,
} from '../../../../engine/call/going-on/gap.ts';
import type { OpenReply } from '../../../../engine/call/reports.ts';
import { addAgent, addCaller, cutOff, emptyHistory, messagesOf } from '../../../../engine/dialogue/history.ts';

const GREETING = 'Thank you for calling Willow Hair Studio, this call is recorded. How can I help you?';
const MESSAGE = 'This is Sam of Willow Hair Studio. Please call us back.';
const phrases = {
  lineLost: 'Sorry, I lost you.',
  youWereSaying: 'You were saying?',
  stillConnecting: 'I am still trying.',
};

const opening: OpenReply = { epoch: 1, cause: { kind: 'opening' } };
const answering: OpenReply = {
  epoch: 4,
  cause: { kind: 'turn', text: 'When are you open?', understood: true, startedAtMs: 0 } as OpenReply['cause'],
};

interface Moment {
  gapMs?: number;
  open?: OpenReply[];
  /** The agent's words, as far as they were sent. */
  speaking?: { epoch: number; text: string } | null;
  /** The words that were heard of the reply that was over just before. */
  justSaid?: { epoch: number; text: string };
  /** All that it was to say. */
  saying?: { epoch: number; text: string } | null;
  machine?: 'none' | 'waiting' | 'speaking';
  pending?: boolean;
  /** Of the caller to a person; `lost`: it does not go on. */
  transfer?: 'none' | 'pending' | 'accepted' | 'bridged' | 'lost';
}

function taken({
  gapMs = 2_000,
  open = [],
  speaking = null,
  justSaid,
  saying = null,
  machine = 'none',
  pending = false,
  transfer = 'none',
}: Moment) {
  const isLost = transfer === 'lost';
  return {
    from: {
      state: {
        phase: 'answered',
        answered: { machine, transfer: { state: isLost ? 'pending' : transfer, target: '' } },
      },
      openReplies: open,
      dialogue: { saying, pending: pending ? { type: 'transfer', target: '+15550100' } : null },
    } as unknown as Continuation,
    pulse: {
      speaking: speaking && { ...speaking, startedAtMs: 8_000 },
      ...(justSaid && { said: { ...justSaid, startedAtMs: 6_000 } }),
    },
    resumption: { atMs: 10_000, gapMs, cause: 'crash' },
    transcript: Promise.resolve([]),
    transfer: transfer === 'none' || isLost ? null : {},
  } as unknown as TakenCall;
}

const owed = (moment: Moment, lineLostWords?: string) =>
  requestAfterGap(
    taken(moment),
    { greeting: GREETING, message: MESSAGE },
    lostWords(lineLostWords === undefined ? {} : { lineLostWords }, phrases),
  );

const said = (moment: Moment, lineLostWords?: string): string => {
  const request = owed(moment, lineLostWords);
  return request?.kind === 'say' ? request.text : '';
};

describe('after a gap that the caller noticed', () => {
  test('the agent apologises and asks', () => {
    assert.equal(said({}), 'Sorry, I lost you. You were saying?');
  });

  test('a greeting goes on where it was cut, so that no notice in it is lost, and no word comes twice', () => {
    const speaking = { epoch: 1, text: 'Thank you for calling Willow Hair' };
    assert.equal(
      said({ open: [opening], speaking }),
      'Sorry, I lost you. Studio, this call is recorded. How can I help you?',
    );
  });

  test('a greeting of which nothing was heard is said whole', () => {
    assert.equal(said({ open: [opening] }), `Sorry, I lost you. ${GREETING}`);
  });

  test('before a transfer that was announced it does not ask', () => {
    assert.equal(said({ pending: true }), 'Sorry, I lost you.');
  });
});

describe('to a caller who is being transferred', () => {
  test('it says that it still tries, and asks nothing', () => {
    assert.equal(said({ transfer: 'pending' }), 'I am still trying.');
    assert.equal(said({ transfer: 'accepted' }), 'I am still trying.');
  });

  test('a short gap is not spoken of: only what was being said goes on', () => {
    assert.equal(said({ gapMs: 300, transfer: 'pending' }), '');
  });

  test('once a person has taken over, it says nothing', () => {
    assert.equal(said({ transfer: 'bridged' }), '');
    assert.equal(said({ gapMs: 300, transfer: 'bridged' }), '');
  });

  test('a transfer that nobody could go on with is spoken of next', () => {
    assert.equal(said({ transfer: 'lost' }), 'Sorry, I lost you.');
  });
});

describe('the agent’s own words of a gap', () => {
  const cut: Moment = { open: [opening], speaking: { epoch: 1, text: 'Thank you for calling Willow Hair' } };

  test('stand in place of those of its language', () => {
    assert.equal(said({}, 'The line was bad. Go on, please.'), 'The line was bad. Go on, please.');
    assert.match(said(cut, 'The line was bad.'), /^The line was bad\. Studio, this call is recorded/);
  });

  test('may be none', () => {
    assert.equal(said({}, ''), '');
    assert.match(said(cut, ''), /^Studio, this call is recorded/);
  });
});

describe('after one that nobody noticed', () => {
  test('the agent says the rest of its sentence, or nothing', () => {
    const saying = { epoch: 4, text: 'We are open from nine to five.' };
    assert.equal(
      said({ gapMs: 150, open: [answering], saying, speaking: { epoch: 4, text: 'We are open' } }),
      'from nine to five.',
    );
    assert.equal(said({ gapMs: 150, open: [answering], saying, speaking: saying }), '');
    assert.equal(said({ gapMs: 150 }), '');
  });

  test('a caller whose question nobody answers any more is answered', () => {
    assert.deepEqual(owed({ gapMs: 150, open: [answering] }), { kind: 'answer' });
    assert.equal(owed({ gapMs: 150, open: [answering], transfer: 'bridged' }), null);
    // So is one whose answer a second engine owed, and one who has pressed keys.
    for (const cause of [
      { kind: 'requested', request: { kind: 'answer' } },
      { kind: 'digits', digits: '2' },
    ] as const)
      assert.deepEqual(owed({ gapMs: 150, open: [{ epoch: 5, cause }] }), { kind: 'answer' });
    assert.equal(owed({ gapMs: 150 }), null);
  });
});

test('on a machine the rest of the message is left, and nothing while its greeting is awaited', () => {
  const open: OpenReply[] = [
    { epoch: 2, cause: { kind: 'requested', request: { kind: 'say', text: MESSAGE } } as OpenReply['cause'] },
  ];
  assert.equal(
    said({ machine: 'speaking', open, speaking: { epoch: 2, text: 'This is Sam of Willow' } }),
    'Hair Studio. Please call us back.',
  );
  assert.equal(said({ machine: 'waiting' }), '');
});

test('what was heard of an open reply is what the pulse says of it, and nothing of another one', () => {
  const call = taken({ open: [opening, answering], speaking: { epoch: 4, text: ' We are open ' } });
  assert.deepEqual(heardOf(call), [
    { epoch: 1, heard: '' },
    { epoch: 4, heard: 'We are open' },
  ]);
  const cut = { speaker: 'agent', text: 'We are open', timestamp: 8_000 } as const;
  assert.deepEqual(heardWords(call, []), [cut]);
  assert.deepEqual(heardWords(call, [{ ...cut, text: 'We are open from nine.' }]), [], 'it was heard to its end');
});

describe('a reply that is over, while the journal has it open still', () => {
  const whole = { epoch: 4, text: 'We are open from nine.' };
  const call = { gapMs: 100, open: [answering], justSaid: whole, saying: whole };
  const entry = { speaker: 'agent', text: whole.text, timestamp: 6_000 } as const;

  test('is not said again', () => {
    assert.equal(owed(call), null);
  });

  test('is in the transcript once, whoever wrote it', () => {
    assert.deepEqual(heardWords(taken(call), []), [entry]);
    assert.deepEqual(heardWords(taken(call), [entry]), []);
    assert.deepEqual(heardWords(taken({ ...call, open: [] }), []), [], 'the process before knew that it was over');
  });
});

describe('the history', () => {
  const asked = addCaller(emptyHistory, 4, 'When are you open?', true);

  test('keeps of a reply what was heard, as interrupted, whether it was whole or still being made', () => {
    const whole = addAgent(asked, 4, 'We are open from nine to five.');
    for (const history of [whole, asked]) {
      assert.deepEqual(messagesOf(cutOff(history, 4, 'We are open')).at(-1), {
        role: 'agent',
        text: 'We are open',
        interrupted: true,
      });
    }
  });

  test('keeps the question where nothing of its answer was heard', () => {
    assert.deepEqual(
      messagesOf(cutOff(addAgent(asked, 4, 'We are open from nine.'), 4, '')).map(({ role }) => role),
      ['caller'],
    );
  });
});

test('a peer that has sent nothing since an earlier process went on was last there before that', () => {
  const call = (silentSinceMs: number | null, hasHeard: boolean) =>
    lastLifeMs({
      ...taken({ speaking: { epoch: 1, text: '' } }),
      from: { ...taken({}).from, silentSinceMs },
      pulse: { ...taken({ speaking: { epoch: 1, text: '' } }).pulse, hasHeard },
    } as TakenCall);
  assert.deepEqual([call(null, true), call(3_000, false), call(3_000, true)], [10_000, 3_000, 10_000]);
  const untold = { ...taken({}), from: { ...taken({}).from, silentSinceMs: 3_000 }, pulse: null } as TakenCall;
  assert.equal(lastLifeMs(untold), 3_000, 'nor by a process that died before it could tell');
});

describe('in a browser call', () => {
  const call = { ...taken({ gapMs: 200 }), from: { ...taken({}).from, leg: null, silentSinceMs: null } } as TakenCall;

  test('the gap lasts until the browser has joined again', () => {
    const texts = { greeting: GREETING, message: MESSAGE };
    const words = lostWords({}, phrases);
    assert.equal(requestAfterGap(call, texts, words), null);
    const since = heardAgainAt(call, 10_900.4);
    assert.deepEqual(since.resumption, { atMs: 10_900, gapMs: 1_100, cause: 'crash' });
    const text = 'Sorry, I lost you. You were saying?';
    assert.deepEqual(requestAfterGap(since, texts, words), { kind: 'say', text });
  });

  test('one that does not was last there when its engine died', () => {
    assert.equal(lastLifeMs(call), 9_800);
  });
});
