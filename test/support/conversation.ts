// The bench's caller for tests: places a call and waits for the agent's actions by conditions, never by fixed times.
import assert from 'node:assert/strict';
import { Caller } from '../../bench/rig/conversation/scenario.ts';
import type { Rest } from '../../bench/rig/service/rest.ts';
import type { Service } from '../../bench/rig/service/service.ts';
import type { TranscriptEntry } from '../../db/records/resources.ts';

let nextCaller = 0;

export interface TestCaller {
  caller: Caller;
  /** Its caller id. */
  number: string;
}

/** A caller of `sip:USER@service` with its own number, not started yet. */
export function testCaller(
  service: Pick<Service, 'sipAddress'>,
  user = 'demo',
  options: ConstructorParameters<typeof Caller>[3] = {},
): TestCaller {
  const index = 100 + nextCaller++;
  return { caller: new Caller(service.sipAddress, index, user, options), number: `+1555019${1000 + index}` };
}

/** The demo greets with a word: who waits for the greeting's end and asks for nothing of it is spared four seconds. */
export async function greetBriefly(rest: Rest): Promise<void> {
  const [campaign] = await rest.must('GET', '/campaigns');
  await rest.must('PATCH', `/campaigns/${campaign?.id}`, { greetingTemplate: 'Hello.' });
}

/** Places the call and waits for the greeting to end. */
export async function greeted(
  service: Service,
  options: ConstructorParameters<typeof Caller>[3] = {},
): Promise<TestCaller> {
  const test = testCaller(service, 'demo', options);
  await test.caller.answered();
  await test.caller.agentSound(0);
  await test.caller.agentQuiet(900);
  return test;
}

/** Says something and waits until the agent has finished answering. */
export async function say(caller: Caller, speech: Int16Array): Promise<void> {
  const sentAt = await caller.call.speak(speech);
  await caller.agentSound(sentAt);
  await caller.agentQuiet(1_000);
}

/** A caller asked for the opening hours, lost the line after the answer, and asked again. */
export function assertAskedTwice(transcript: readonly TranscriptEntry[]): void {
  const expected = [
    /^agent: Thank you for calling/,
    /^caller: .*opening hours/i,
    /^agent: /,
    /^agent: Sorry, I lost you for a moment\. You were saying\?$/,
    /^caller: .*opening hours/i,
    /^agent: /,
  ];
  for (const [index, words] of expected.entries()) {
    const { speaker, text } = transcript[index] ?? {};
    assert.match(`${speaker}: ${text}`, words);
  }
}
