// A caller books an appointment by voice, and an API client finds it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRaw } from '../../db/sqlite/open.ts';
import { renderSpeech } from '../../engine/test-runs/caller/speech.ts';
import { greeted } from '../support/conversation.ts';
import { useService } from '../support/use-service.ts';

/** The caller's answer to each question; the first match counts. Without a match they repeat their last answer. */
const ANSWERS: Array<[RegExp, string]> = [
  [/sound good|shall i book|is that right/i, 'Yes please.'],
  [/what (would you like to book|can we do)/i, 'A haircut please.'],
  [/(what|which) (other )?day/i, 'On Tuesday.'],
  [/what time|which (one|time|of)|would .* suit/i, 'At ten.'],
  [/name/i, 'My name is Sarah Johnson.'],
  [/how can i help/i, "I'd like to book an appointment."],
];

const clips = await Promise.all(ANSWERS.map(([, answer]) => renderSpeech(answer, 'flite-slt')));
const { service, rest } = useService({ MAX_CALLS: '10', LLM: 'receptionist' });

const BOOKED = /all set|you are booked/i;
const TURNS_MAX = 16;

test('a caller is asked what, when and who, says yes, and is in the calendar', async () => {
  const { caller, number } = await greeted(service);
  const agentSaid = async (): Promise<string[]> => {
    const [call] = await rest.callsFrom(number);
    const { body } = await rest.request('GET', `/calls/${call?.id}/transcript`);
    return (body.data ?? []).flatMap(({ speaker, text }) => (speaker === 'agent' ? [text] : []));
  };
  let answered = 0;
  let last = '';
  let answer = ANSWERS.length - 1;
  for (let turn = 0; turn < TURNS_MAX && !BOOKED.test(last); turn++) {
    const said = await rest.eventually('the agent says something', async () => {
      const all = await agentSaid();
      return all.length > answered && (all.at(-1) ?? '').includes('?') ? all : null;
    });
    answered = said.length;
    last = said.at(-1) ?? '';
    if (BOOKED.test(last)) break;
    const fitting = ANSWERS.findIndex(([question]) => question.test(last));
    if (fitting >= 0) answer = fitting;
    await caller.call.speak(clips[answer] ?? new Int16Array(0));
  }
  assert.match(last, BOOKED, (await agentSaid()).join(' | '));
  await caller.hangUp();
  const call = await rest.endedCall(number);
  assert.equal(call.outcome, 'completed');
  const { body } = await rest.request('GET', '/appointments');
  const booked = body.data.filter(({ callId }) => callId === call.id);
  assert.equal(booked.length, 1, JSON.stringify(body.data));
  assert.ok(Date.parse(booked[0]?.startsAt ?? '') > Date.now());

  const record = await rest.request('GET', `/calls/${call.id}`);
  const { name, outcome } = record.body.data.toolCalls?.at(-1) ?? {};
  assert.deepEqual([name, outcome], ['schedule_appointment', 'done']);

  const db = openRaw(`${service.dataDir}/voice.db`, { readonly: true });
  const told = db.prepare("SELECT subject_id FROM events WHERE type = 'appointment.scheduled'").all();
  db.close();
  assert.deepEqual(told, [{ subject_id: booked[0]?.id }]);
});
