// A caller of the bench as tests use it: places a call and waits for what the agent does, by conditions and not by times.
import { Caller } from '../../bench/scenario.ts';
import type { Service } from '../../bench/service.ts';

let nextCaller = 0;

export interface TestCaller {
  caller: Caller;
  /** The number that it calls from. */
  number: string;
}

/** A caller of a number of its own to `sip:USER@service`, not placed yet. */
export function testCaller(
  service: Service,
  user = 'demo',
  options: ConstructorParameters<typeof Caller>[3] = {},
): TestCaller {
  const index = 100 + nextCaller++;
  return { caller: new Caller(service.sipAddress, index, user, options), number: `+1555019${1000 + index}` };
}

/** Places the call and lets the greeting end. */
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

/** Says something and lets the agent answer to its end. */
export async function say(caller: Caller, speech: Int16Array): Promise<void> {
  const sentAt = await caller.call.speak(speech);
  await caller.agentSound(sentAt);
  await caller.agentQuiet(1_000);
}
