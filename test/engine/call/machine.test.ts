// The life of a call: every way it can end, and storms of events in any order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CallTerminal } from '../../../db/domain/calls/outcome.ts';
import type { CallDirection, CallEffect, CallEvent, CallPlan } from '../../../engine/call/machine.ts';
import { type CallState, offeredCall, stepCall } from '../../../engine/call/machine.ts';
import type { LegEnd } from '../../../engine/sip/telephony.ts';
import { negotiatedAudio } from '../../support/sip/negotiated-audio.ts';

const audio = negotiatedAudio();
const plan: CallPlan = {
  maxDurationMs: 600_000,
  voicemail: 'hangup',
};
const legEnd = (change: Partial<LegEnd> = {}): LegEnd => ({
  by: 'remote',
  sipStatus: null,
  q850Cause: null,
  reason: '',
  rang: false,
  ...change,
});

type Untimed = CallEvent extends infer E ? (E extends { nowMs: number } ? Omit<E, 'nowMs'> : never) : never;

class Call {
  state: CallState;
  effects: CallEffect[] = [];
  nowMs = 1_000_000;

  constructor(direction: CallDirection) {
    this.state = offeredCall(direction);
  }

  tell(...events: Untimed[]): this {
    for (const event of events) {
      const [state, effects] = stepCall(this.state, { ...event, nowMs: this.nowMs } as CallEvent);
      this.state = state;
      this.effects.push(...effects);
    }
    return this;
  }

  wait(ms: number): this {
    this.nowMs += ms;
    return this;
  }

  fire(timer: Extract<CallEffect, { type: 'arm-timer' }>['timer']): this {
    const armed = this.effects.findLast((effect) => effect.type === 'arm-timer' && effect.timer === timer);
    assert.ok(armed?.type === 'arm-timer', `${timer} was armed`);
    this.nowMs += armed.delayMs;
    return this.tell({ type: 'timer-fired', timer, serial: armed.serial });
  }

  /** Admitted, audio open, answered. */
  answered(change: Partial<CallPlan> = {}): this {
    this.tell({ type: 'admitted', plan: { ...plan, ...change } });
    this.tell({ type: 'audio-opened', address: '127.0.0.1', port: 20_000 });
    return this.tell({ type: 'leg-answered', audio });
  }

  closed(): CallTerminal {
    this.tell({ type: 'audio-closed', recordingPath: '/r.wav', recordedMs: 5_000 });
    return this.terminal();
  }

  terminal(): CallTerminal {
    const [first, second] = this.effects.filter((effect) => effect.type === 'write-terminal');
    assert.equal(second, undefined, 'one terminal row');
    assert.ok(first?.type === 'write-terminal', 'a terminal row');
    return first.terminal;
  }

  types(): string[] {
    return this.effects.map((effect) => effect.type);
  }
}

function ending(terminal: CallTerminal): string {
  return `${terminal.status} ${terminal.outcome} ${terminal.endReason}`;
}

test('an inbound call: row, audio, answer, dialogue, in this order; the row has the duration', () => {
  const call = new Call('inbound').answered();
  assert.deepEqual(
    call.types().filter((type) => !type.includes('timer')),
    ['write-row', 'ring-leg', 'open-audio', 'answer-leg', 'connect-audio', 'write-answered', 'start-dialogue'],
  );
  call.wait(42_000).tell({ type: 'exchange-done' }, { type: 'leg-ended', end: legEnd() });
  assert.equal(call.state.phase, 'ending');
  const terminal = call.wait(200).closed();
  assert.equal(ending(terminal), 'COMPLETED completed caller_hangup');
  assert.equal(terminal.durationMs, 42_000);
  assert.equal(terminal.recordingPath, '/r.wav');
});

test('an INVITE that is cancelled before its call has begun leaves no row; a withdrawn request is never dialled', () => {
  const inbound = new Call('inbound').tell({ type: 'leg-ended', end: legEnd() });
  assert.deepEqual([inbound.state.phase, inbound.types()], ['ended', ['hang-up-leg']]);
  const outbound = new Call('outbound').tell({ type: 'withdrawn', reason: 'do_not_call' }, { type: 'admitted', plan });
  assert.equal(ending(outbound.terminal()), 'FAILED cancelled do_not_call');
  assert.ok(!outbound.types().includes('open-audio'));
});

const answeredEnds: Array<[name: string, act: (call: Call) => void, ending: string]> = [
  [
    'the caller hangs up in the greeting',
    (call) => call.tell({ type: 'leg-ended', end: legEnd() }),
    'COMPLETED hung_up caller_hangup',
  ],
  [
    'the caller speaks, but leaves before the answer',
    (call) => call.tell({ type: 'caller-spoke' }, { type: 'leg-ended', end: legEnd() }),
    'COMPLETED completed caller_hangup',
  ],
  [
    'the media stop after the caller has spoken',
    (call) => call.tell({ type: 'caller-spoke' }, { type: 'media-lost', reason: 'rtp-timeout' }),
    'COMPLETED completed media_timeout',
  ],
  [
    'bridged to a person, who hangs up',
    (call) =>
      call.tell(
        { type: 'transfer-requested', target: '+15550100' },
        { type: 'transfer-outcome', result: 'bridged' },
        { type: 'goodbye-said', reason: 'transfer' },
      ),
    'COMPLETED transferred transfer',
  ],
  [
    'the agent says goodbye',
    (call) => call.tell({ type: 'exchange-done' }, { type: 'goodbye-said', reason: 'agent_hangup' }),
    'COMPLETED completed agent_hangup',
  ],
  ['nobody ever speaks', (call) => call.tell({ type: 'goodbye-said', reason: 'idle' }), 'COMPLETED no_response idle'],
  [
    'the model fails for good',
    (call) => call.tell({ type: 'exchange-done' }, { type: 'goodbye-said', reason: 'model_failure' }),
    'COMPLETED completed model_failure',
  ],
  ['an API client ends it', (call) => call.tell({ type: 'end-requested' }), 'COMPLETED completed api'],
  ['the service stops', (call) => call.tell({ type: 'shutdown' }), 'COMPLETED completed shutdown'],
  [
    'the media stop',
    (call) => call.tell({ type: 'media-lost', reason: 'rtp-timeout' }),
    'COMPLETED hung_up media_timeout',
  ],
  [
    'the audio fork of a telephone call breaks',
    (call) => call.tell({ type: 'media-lost', reason: 'socket-closed' }),
    'FAILED failed crash',
  ],
  [
    'the network fails',
    (call) => call.tell({ type: 'leg-ended', end: legEnd({ by: 'network' }) }),
    'COMPLETED hung_up network',
  ],
  [
    'FreeSWITCH dies under it',
    (call) => call.tell({ type: 'leg-ended', end: legEnd({ by: 'server' }) }),
    'FAILED failed crash',
  ],
  ['we crash', (call) => call.tell({ type: 'call-failed' }), 'FAILED failed crash'],
  ['the time is up', (call) => call.fire('limit-warning').fire('limit'), 'COMPLETED completed max_duration'],
  [
    'it is referred to a person',
    (call) =>
      call.tell(
        { type: 'transfer-requested', target: '+15550100' },
        { type: 'transfer-outcome', result: 'accepted' },
        { type: 'transfer-outcome', result: 'referred' },
      ),
    'COMPLETED transferred transfer',
  ],
  [
    'the exchange takes it over by BYE without a report',
    (call) =>
      call.tell(
        { type: 'transfer-requested', target: '+15550100' },
        { type: 'transfer-outcome', result: 'accepted' },
        { type: 'leg-ended', end: legEnd() },
      ),
    'COMPLETED transferred transfer',
  ],
  [
    'the caller gives up while the transfer is tried',
    (call) => call.tell({ type: 'transfer-requested', target: '+15550100' }, { type: 'leg-ended', end: legEnd() }),
    'COMPLETED hung_up caller_hangup',
  ],
  [
    'bridged to a person, then time is up',
    (call) =>
      call
        .tell({ type: 'transfer-requested', target: '+15550100' }, { type: 'transfer-outcome', result: 'bridged' })
        .fire('limit'),
    'COMPLETED transferred max_duration',
  ],
  [
    'a machine answers',
    (call) => call.tell({ type: 'amd-verdict', verdict: 'machine' }),
    'VOICEMAIL voicemail voicemail',
  ],
  [
    'what answers is uncertain, then hangs up',
    (call) => call.tell({ type: 'amd-verdict', verdict: 'uncertain' }, { type: 'leg-ended', end: legEnd() }),
    'COMPLETED hung_up caller_hangup',
  ],
];

for (const [name, act, expected] of answeredEnds) {
  test(`an answered call ends: ${name}`, () => {
    const call = new Call('outbound').answered();
    act(call);
    assert.equal(ending(call.closed()), expected);
  });
}

test('the message is left once, after the beep', () => {
  const call = new Call('outbound').answered({ voicemail: 'leave_message' });
  call.tell({ type: 'amd-verdict', verdict: 'machine' }, { type: 'beep' }, { type: 'beep' });
  assert.equal(call.types().filter((type) => type === 'leave-message').length, 1);
  call.tell({ type: 'message-left' });
  assert.equal(ending(call.closed()), 'VOICEMAIL voicemail_left voicemail');
});

test('a machine without a beep gets its message after the longest greeting', () => {
  const call = new Call('outbound').answered({ voicemail: 'leave_message' });
  call.tell({ type: 'amd-verdict', verdict: 'machine' }).fire('beep');
  assert.ok(call.types().includes('leave-message'));
});

const attempts: Array<[sipStatus: number | null, q850Cause: number | null, ending: string, retryable: boolean]> = [
  [486, null, 'FAILED busy busy', true],
  [600, null, 'FAILED busy busy', true],
  [480, null, 'FAILED no_answer no_answer', true],
  [480, 17, 'FAILED busy busy', true],
  [480, 1, 'FAILED unallocated unallocated', false],
  [487, null, 'FAILED no_answer no_answer', true],
  [603, null, 'FAILED declined declined', false],
  [603, 17, 'FAILED declined declined', false],
  [404, null, 'FAILED unallocated unallocated', false],
  [484, null, 'FAILED unallocated unallocated', false],
  [503, null, 'FAILED failed network', true],
  [503, 21, 'FAILED declined declined', false],
  [599, null, 'FAILED failed network', true],
  [699, null, 'FAILED declined declined', false],
  [488, null, 'FAILED failed network', false],
  [null, null, 'FAILED failed network', true],
];
for (const [sipStatus, q850Cause, expected, retryable] of attempts) {
  test(`an attempt that ends with ${sipStatus ?? 'silence'}, cause ${q850Cause ?? 'none'}: ${expected}`, () => {
    const call = new Call('outbound').tell(
      { type: 'admitted', plan },
      { type: 'audio-opened', address: '127.0.0.1', port: 20_000 },
      { type: 'leg-ended', end: legEnd({ sipStatus, q850Cause }) },
    );
    const terminal = call.closed();
    assert.equal(ending(terminal), expected);
    assert.equal(terminal.retryable, retryable);
    assert.equal(terminal.durationMs, 0);
  });
}

test('an answer that crosses our CANCEL is hung up and not counted as answered', () => {
  const call = new Call('outbound').tell(
    { type: 'admitted', plan },
    { type: 'audio-opened', address: '127.0.0.1', port: 20_000 },
  );
  call.fire('ring').tell({ type: 'leg-answered', audio });
  assert.equal(call.types().filter((type) => type === 'hang-up-leg').length, 2);
  assert.equal(ending(call.closed()), 'FAILED no_answer no_answer');
});

test('a browser call that nobody joins fails; one whose socket closes was hung up', () => {
  const opened: Untimed[] = [
    { type: 'admitted', plan },
    { type: 'audio-opened', address: '127.0.0.1', port: 0 },
  ];
  assert.equal(
    ending(
      new Call('web')
        .tell(...opened)
        .fire('join')
        .closed(),
    ),
    'FAILED not_joined not_joined',
  );
  const joined = new Call('web').tell(...opened, { type: 'socket-joined' }, { type: 'exchange-done' });
  joined.tell({ type: 'media-lost', reason: 'socket-closed' });
  assert.equal(ending(joined.closed()), 'COMPLETED completed caller_hangup');
});

test('a recorder that never closes does not keep the call open', () => {
  const call = new Call('inbound').answered().tell({ type: 'end-requested' });
  call.fire('close');
  assert.equal('recordingPath' in call.terminal(), false, 'the path of the answer stays');
  assert.equal(call.state.phase, 'ended');
});

const anyEvent: fc.Arbitrary<Untimed> = fc.oneof(
  fc.constant<Untimed>({ type: 'admitted', plan }),
  fc.constant<Untimed>({ type: 'admitted', plan: { ...plan, voicemail: 'leave_message' } }),
  fc.constantFrom<Untimed>(
    { type: 'withdrawn', reason: 'do_not_call' },
    { type: 'audio-opened', address: '127.0.0.1', port: 20_000 },
    { type: 'audio-open-failed' },
    { type: 'socket-joined' },
    { type: 'leg-ringing', earlyAudio: null },
    { type: 'leg-ringing', earlyAudio: audio },
    { type: 'leg-answered', audio },
    { type: 'leg-audio-changed', audio },
    { type: 'call-failed' },
    { type: 'audio-closed', recordingPath: '/r.wav', recordedMs: 1 },
    { type: 'exchange-done' },
    { type: 'caller-spoke' },
    { type: 'transfer-requested', target: '+15550100' },
    { type: 'beep' },
    { type: 'message-left' },
    { type: 'end-requested' },
    { type: 'shutdown' },
  ),
  fc.constantFrom('rtp-timeout', 'socket-closed').map<Untimed>((reason) => ({
    type: 'media-lost',
    reason: reason as 'rtp-timeout',
  })),
  fc.constantFrom('agent_hangup', 'idle', 'model_failure', 'transfer').map<Untimed>((reason) => ({
    type: 'goodbye-said',
    reason: reason as 'idle',
  })),
  fc.constantFrom('accepted', 'referred', 'bridged', 'failed').map<Untimed>((result) => ({
    type: 'transfer-outcome',
    result: result as 'failed',
  })),
  fc.constantFrom('human', 'machine', 'machine-beep', 'screening', 'uncertain').map<Untimed>((verdict) => ({
    type: 'amd-verdict',
    verdict: verdict as 'human',
  })),
  fc
    .record({
      by: fc.constantFrom<LegEnd['by']>('local', 'remote', 'network'),
      sipStatus: fc.option(fc.integer({ min: 300, max: 699 })),
      q850Cause: fc.option(fc.integer({ min: 1, max: 127 })),
    })
    .map<Untimed>((change) => ({ type: 'leg-ended', end: legEnd(change) })),
  // Timers of any age, mostly stale.
  fc
    .tuple(
      fc.constantFrom('ring', 'join', 'limit-warning', 'limit', 'beep', 'transfer', 'close'),
      fc.integer({ min: 1, max: 12 }),
    )
    .map<Untimed>(([timer, serial]) => ({ type: 'timer-fired', timer: timer as 'ring', serial })),
);

test('in a storm of events a call ends once, and nothing follows', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<CallDirection>('inbound', 'outbound', 'web'),
      fc.array(anyEvent, { minLength: 1, maxLength: 60 }),
      (direction, events) => {
        const call = new Call(direction);
        let terminals = 0;
        for (const event of events) {
          const ended = call.state.phase === 'ended';
          const before = call.effects.length;
          call.wait(100).tell(event);
          const fresh = call.effects.slice(before);
          if (ended) assert.deepEqual(fresh, []);
          terminals += fresh.filter((effect) => effect.type === 'write-terminal').length;
        }
        // Whatever has happened, it is over after one request and one time-out.
        call.tell({ type: 'end-requested' });
        if (call.state.phase !== 'ended') call.fire('close');
        terminals = call.effects.filter((effect) => effect.type === 'write-terminal').length;
        assert.equal(call.state.phase, 'ended');
        const hasRow = direction !== 'inbound' || call.types().includes('write-row');
        assert.equal(terminals, hasRow ? 1 : 0);
        assert.equal(call.types().filter((type) => type === 'start-dialogue').length <= 1, true);
        assert.equal(call.types().filter((type) => type === 'leave-message').length <= 1, true);
        const opened = call.types().includes('open-audio');
        assert.equal(call.types().filter((type) => type === 'close-audio').length, opened ? 1 : 0);
        if (hasRow) {
          const { status, isAnswered, durationMs, endReason } = call.terminal();
          if (!isAnswered) assert.equal(status, 'FAILED');
          else if (endReason !== 'crash') assert.notEqual(status, 'FAILED');
          assert.ok(durationMs >= 0);
        }
      },
    ),
    { numRuns: 3_000, seed: 20_261_121 },
  );
});
