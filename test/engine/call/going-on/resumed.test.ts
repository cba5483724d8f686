// A call of another process goes on. The call is one that the release before has described: at an upgrade two releases
// stand side by side, and the release before must be able to take it back. record.ts beside the fixture renews it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { TurnTiming } from '../../../../db/domain/calls/timeline.ts';
import type { TranscriptEntry } from '../../../../db/records/resources.ts';
import { sharedClockMs } from '../../../../db/shared/process/shared-clock.ts';
import { type Continuation, recordKeyOf, type TakenCall } from '../../../../engine/call/going-on/continuation.ts';
import type { TimingsState } from '../../../../engine/call/timings.ts';
import type { Leg } from '../../../../engine/sip/telephony.ts';
import { CallStage, type CallStageOptions } from '../stage.ts';

interface Written {
  continuation: Continuation;
  pulse: NonNullable<TakenCall['pulse']>;
}

const fixture = new URL('../../../fixtures/journal/release-before.json', import.meta.url);
const before = JSON.parse(readFileSync(fixture, 'utf8')) as Written;
const AGE_MS = 3_000;
/** Changes that come together are one write of the journal. */
const GATHER_MS = 100;

/** The stage of a call that the release before has left, and what this one writes of it. */
async function taken(
  record: TakenCall['record'] = null,
  change: Partial<Continuation> = {},
  {
    gapMs = AGE_MS,
    isHearing = false,
    transcript = Promise.resolve([]),
    ...options
  }: CallStageOptions & { gapMs?: number; isHearing?: boolean; transcript?: TakenCall['transcript'] } = {},
) {
  const asks = new Map<string, () => object | null>();
  const written = new Map<string, unknown>();
  const isWritten = new Set<string>();
  const stage = new CallStage({
    ...options,
    journal: {
      follow: (key, ask) => void asks.set(key, ask),
      changed(key) {
        isWritten.add(key);
        stage.clock.after(GATHER_MS, () => written.set(key, asks.get(key)?.()));
      },
      busyWith: () => undefined,
      forget: () => undefined,
    },
  });
  const from: Continuation = {
    ...before.continuation,
    writtenAtMs: stage.clock.nowMs() - AGE_MS,
    beganAtMs: sharedClockMs() - 2 * AGE_MS,
    ...change,
  };
  assert.ok(from.leg);
  const leg: Leg = {
    sipCallId: from.leg.sipCallId,
    direction: 'inbound',
    state: from.leg,
    onEvent: () => undefined,
    hangUp: () => stage.print('> line: BYE'),
    refer: () => undefined,
    sendInfoDigits: () => undefined,
  };
  const pulse = { ...before.pulse, isHearing, atMs: sharedClockMs() - gapMs };
  const resumption = { atMs: 2 * AGE_MS, gapMs, cause: 'upgrade' } as const;
  stage.conductor.resume({ from, leg, transcript, pulse, record, resumption });
  await stage.run(200);
  const ask = (key: string): unknown => asks.get(key)?.() ?? null;
  return {
    stage,
    isWritten,
    describe: () => ask('call_1') as Continuation | null,
    written: () => written.get('call_1') as Continuation | undefined,
    kept: () => ask(recordKeyOf('call_1')) as TimingsState,
  };
}

test('a call that the release before has described goes on, where it was', async () => {
  const { stage } = await taken();
  const { command } = stage.audio();
  assert.equal(command.resume?.port, before.continuation.port);
  assert.deepEqual(command.resume?.sent?.stream, before.pulse.stream);
  assert.match(
    stage.timeline(),
    /shard: open call_1\n.*agent: Sorry, I lost you for a moment\.\n.*agent: help you\?\n/,
  );
  const limitMs = before.continuation.timers.limit ?? 0;
  await stage.run(limitMs - AGE_MS - 2_000);
  assert.equal(stage.ended.length, 0, 'its time is not over');
  await stage.run(4_000);
  assert.equal(stage.ended[0]?.endReason, 'max_duration');
});

test('the words in which the agent was cut are in the live feed: the next process may die as well', async () => {
  const { stage } = await taken();
  const told = stage.of('appendFeed').filter(({ type }) => type === 'transcript');
  const { text, startedAtMs } = before.pulse.speaking ?? assert.fail();
  assert.deepEqual(told[0]?.data, { speaker: 'agent', text: text.trim(), timestamp: Math.round(startedAtMs) });
});

test('what was said before is read late, and has the first words of this process by then: they are there once', async () => {
  const { promise, resolve } = Promise.withResolvers<Awaited<TakenCall['transcript']>>();
  const { stage } = await taken(null, {}, { transcript: promise });
  await stage.says('when are you open', 3_000);
  const fed = stage.of('appendFeed').filter(({ type }) => type === 'transcript');
  const said = fed.map(({ data }) => data as TranscriptEntry);
  assert.ok(said.some(({ speaker, text }) => speaker === 'agent' && text === 'Certainly.'));
  resolve([{ speaker: 'agent', text: 'Thank you for calling.', timestamp: 0 }, ...said]);
  stage.conductor.requestEnd();
  await stage.run(3_000);
  const [end] = stage.of('endCall') as Array<{ transcript: TranscriptEntry[] }>;
  const texts = end?.transcript.map(({ text }) => text) ?? [];
  assert.deepEqual(texts, [...new Set(texts)]);
  assert.equal(texts[0], 'Thank you for calling.');
});

test('what this release writes has every field that the release before reads, of the same kind', async () => {
  const { stage, describe } = await taken();
  const now = describe();
  assert.ok(now);
  assert.deepEqual(lost(before.continuation, now, ''), []);
  assert.ok(Math.abs(now.writtenAtMs - stage.clock.nowMs()) < 1_000, 'it reads this one by the wall clock');
  assert.equal(now.version, before.continuation.version);
});

test('a speech-to-speech model goes on in a new session, and is told what was said before', async () => {
  const { dialogue } = before.continuation;
  const entries = [
    { epoch: 2, message: { role: 'caller', text: 'are you open', understood: true } },
    { epoch: 2, message: { role: 'agent', text: 'Until five.', interrupted: false, isOwnVoice: true } },
  ] as const;
  const { stage } = await taken(null, { dialogue: { ...dialogue, history: { entries } } }, { speech: () => {} });
  assert.equal(stage.audio().command.speechModel?.engine, 'fake');
  await stage.says('what does it cost', 100);
  const [ask] = stage.shard.asks;
  assert.ok(ask?.type === 'respond');
  const told = ask.items.map((item) => ('text' in item ? `${item.kind} ${item.text}` : item.kind));
  assert.deepEqual(told.slice(0, 2), ['caller are you open', 'agent Until five.']);
  assert.doesNotMatch(told.join(' | '), /what does it cost/, 'that, it has heard itself');
});

test('one that was lost before is not opened again', async () => {
  const fallbacks = [{ model: 'speech-to-speech', from: 'fake', to: 'cascade', count: 1 }] as const;
  const { stage } = await taken(null, { fallbacks: [...fallbacks] }, { speech: () => {} });
  assert.equal(stage.audio().command.speechModel, undefined);
  await stage.says('what does it cost', 1_000);
  assert.deepEqual([stage.shard.asks.length, stage.requests.length > 0], [0, true]);
});

test('what clients have done to the call outlives its process: muted, masked, and told', async () => {
  const { dialogue } = before.continuation;
  const controlled = { isMasked: true, dialogue: { ...dialogue, isSilenced: true, told: ['Offer a discount.'] } };
  const { stage, describe } = await taken(null, controlled);
  await stage.run(3_000);
  assert.match(stage.timeline(), /recording: masked/);
  assert.doesNotMatch(stage.timeline(), /agent:/, 'a muted agent does not say that it is back');
  const now = describe();
  assert.equal(now?.isMasked, true);
  assert.equal(now?.dialogue.isSilenced, true);
  await stage.says('what does it cost', 1_000);
  assert.doesNotMatch(stage.timeline(), /agent:/);
  await stage.controls({ kind: 'unmute' }, 100);
  await stage.controls({ kind: 'recording', recording: 'unmask' }, 100);
  await stage.says('what does it cost', 1_000);
  assert.match(stage.timeline(), /agent:/);
  assert.match(stage.requests.at(-1)?.instructions ?? '', /Offer a discount\./);
  const words = stage.requests.at(-1)?.messages.filter(({ role }) => role === 'caller') ?? [];
  assert.ok(words.length >= 2, 'the model knows what was said to the muted agent');
  assert.equal(describe()?.isMasked, undefined);
});

test('the end of the call has the turns of both processes, and the journal has them meanwhile', async () => {
  const turn = (atMs: number) => ({ speechEndAtMs: atMs, turnEndAtMs: atMs }) as TurnTiming;
  const { stage, kept } = await taken({ turns: [turn(800)], bargeIns: [], toolCalls: [], waits: [], gapsMs: [420] });
  await stage.reports({ type: 'latency', callId: 'call_1', ms: 610 });
  await stage.reports({ type: 'turn-timed', callId: 'call_1', turn: turn(7_000) });
  assert.deepEqual([kept().gapsMs, kept().turns.length], [[420, 610], 2]);
  stage.conductor.requestEnd();
  await stage.run(3_000);
  const [end] = stage.of('endCall') as Array<{ latency: { turns: number }; timeline: { turns: TurnTiming[] } }>;
  assert.equal(end?.latency.turns, 2);
  assert.deepEqual(
    end?.timeline.turns.map(({ speechEndAtMs }) => speechEndAtMs),
    [800, 7_000],
  );
});

/** Nobody notices the gap, and the agent was not speaking. */
const listening = (isHearing: boolean) => {
  const { dialogue } = before.continuation;
  const change = { openReplies: [], dialogue: { ...dialogue, saying: null } };
  return taken(null, change, { gapMs: 250, isHearing });
};

test('a caller whose last words were lost in a gap that nobody noticed is asked for them', async () => {
  const { stage } = await listening(true);
  assert.doesNotMatch(stage.timeline(), /agent:/);
  await stage.run(1_500);
  assert.match(stage.timeline(), /agent: Sorry, I lost you for a moment\./);
});

test('one who is still speaking then is heard out, and one who had not spoken is left in peace', async () => {
  const speaking = await listening(true);
  await speaking.stage.reports({ type: 'phase', callId: 'call_1', phase: 'hearing' } as never);
  await speaking.stage.run(1_500);
  assert.doesNotMatch(speaking.stage.timeline(), /agent:/);
  const silent = await listening(false);
  await silent.stage.run(1_500);
  assert.doesNotMatch(silent.stage.timeline(), /agent:/);
});

test('a caller who waits for an answer gets it, where the gap was too short to notice', async () => {
  const { dialogue } = before.continuation;
  const asked = { epoch: 4, message: { role: 'caller', text: 'when do you open', understood: true } as const };
  const history = { entries: [...dialogue.history.entries, asked] };
  const cause = { kind: 'turn', text: 'when do you open', understood: true, confidence: 1, startedAtMs: 900 } as const;
  const { stage } = await taken(
    null,
    { openReplies: [{ epoch: 4, cause }], dialogue: { ...dialogue, history, saying: { epoch: 4, text: '' } } },
    { gapMs: 250 },
  );
  assert.match(stage.timeline(), /agent: Certainly\./);
  assert.deepEqual(
    stage.requests.map(({ messages }) => messages.at(-1)),
    [asked.message],
  );
});

test('what the agent has yet to say stands in the journal as soon as the model has said it', async () => {
  const text = 'We are open from nine to five, and on Saturdays from ten.';
  const { stage, written } = await taken(null, {}, { firstWordMs: 600, model: () => [{ type: 'text', text }] });
  await stage.says('when are you open', 600 + 2 * GATHER_MS);
  assert.equal(written()?.dialogue.saying?.text, text);
});

test('keys of an entry that had not ended are heard once, in one entry with those that follow', async () => {
  const { stage, describe } = await taken(null, { pressedKeys: '12' });
  assert.match(stage.timeline(), /shard: digit 1\n.*shard: digit 2\n/);
  assert.doesNotMatch(stage.timeline(), /agent:/, 'their answer comes next');
  assert.equal(describe()?.pressedKeys, '12');
  await stage.keys('3', 3_000);
  assert.equal(describe()?.pressedKeys, '');
  stage.conductor.requestEnd();
  await stage.run(3_000);
  const [end] = stage.of('endCall') as Array<{ transcript: Array<{ speaker: string; text: string }> }>;
  assert.deepEqual(
    end?.transcript.filter(({ speaker }) => speaker === 'caller').map(({ text }) => text),
    ['123'],
  );
});

test('a call that went on in another language goes on in it', async () => {
  const agent = {
    language: 'en-US',
    additionalLanguages: '["de-DE"]',
    languages: '[{"language":"de-DE","voiceId":"anna"}]',
  };
  const languages = { spoken: 'de-DE', isNamed: true, led: ['en-US', 'de-DE'] };
  const { stage, describe } = await taken(null, { languages }, { agent });
  const { vocabulary, voice, turn } = stage.audio().command;
  assert.deepEqual(
    [vocabulary.language, vocabulary.additionalLanguages, voice.voiceId, turn.language],
    ['de-DE', [], 'anna', 'de-DE'],
  );
  assert.match(stage.timeline(), /agent: Entschuldigung,\n.*agent: ich habe Sie kurz verloren\.\n/);
  assert.deepEqual(describe()?.languages, languages, 'and so would the next process');
});

test('the new session of a speech-to-speech model has the voice of the language that is spoken', async () => {
  const agent = {
    language: 'en-US',
    additionalLanguages: '["de-DE"]',
    conversation: '{"speechVoice":"marin"}',
    languages: '[{"language":"de-DE","voiceId":"anna","speechVoice":"cedar"}]',
  };
  for (const [spoken, voice] of [
    ['de-DE', 'cedar'],
    ['en-US', 'marin'],
  ] as const) {
    const languages = { spoken, isNamed: true, led: ['en-US', 'de-DE'] };
    const { stage } = await taken(null, { languages }, { agent, speech: () => {} });
    const setup = stage.audio().command.speechModel?.setup;
    assert.deepEqual([setup?.language, setup?.voice], [spoken, voice]);
  }
});

/** Fields of `old` that `now` does not have, or has as something else. Members of lists are the call's own. */
function lost(old: unknown, now: unknown, path: string): string[] {
  if (old === null || now === null) return now === undefined ? [path] : [];
  if (typeof old !== typeof now || Array.isArray(old) !== Array.isArray(now)) return [path];
  if (typeof old !== 'object' || Array.isArray(old)) return [];
  return Object.entries(old).flatMap(([name, value]) => {
    const there = (now as Record<string, unknown>)[name];
    if (there === undefined) return isByName(path) ? [] : [`${path}.${name}`];
    return lost(value, there, `${path}.${name}`);
  });
}

/** Its names are not fields: what is not armed, or not there, has none. */
const isByName = (path: string): boolean => path === '.timers' || path === '.state.life.timers';

test('a guess at what the caller will have said is not written, and its epoch is not used again', async () => {
  const { stage, describe, written, isWritten } = await taken();
  const cause = { kind: 'turn', text: 'are you', understood: true, confidence: 1, startedAtMs: 0 } as const;
  const guess = (epoch: number) =>
    stage.reports({ type: 'reply-wanted', callId: 'call_1', epoch, cause, committed: false }, 10);
  const { lastEpoch } = before.continuation;
  await stage.run(4_000);
  isWritten.clear();
  for (let epoch = lastEpoch + 1; epoch < lastEpoch + 20; epoch++) {
    await guess(epoch);
    await stage.reports({ type: 'reply-dropped', callId: 'call_1', epoch }, 150);
  }
  assert.equal(isWritten.size, 0);
  assert.ok((describe()?.lastEpoch ?? 0) > lastEpoch + 20);
  // Far more guesses than anybody makes in a turn: what is written stays ahead of them.
  for (let epoch = lastEpoch + 20; epoch < lastEpoch + 300; epoch++) {
    await guess(epoch);
    await stage.run(150);
    assert.ok(epoch < (written()?.lastEpoch ?? Number.POSITIVE_INFINITY));
  }
  assert.ok((written()?.lastEpoch ?? 0) > lastEpoch + 300);
  const reply = lastEpoch + 300;
  await stage.reports({ type: 'reply-wanted', callId: 'call_1', epoch: reply, cause, committed: true });
  isWritten.clear();
  await stage.reports({ type: 'reply-dropped', callId: 'call_1', epoch: reply }, 150);
  assert.deepEqual([...isWritten], ['call_1'], 'an answer that was owed is owed no more');
});
