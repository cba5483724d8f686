// Plays many takes to one service, some at a time, and keeps what judges them.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pause } from '../rig/conversation/scenario.ts';
import type { Scenario } from '../rig/conversation/scenario-file.ts';
import { PROMPT } from '../rig/conversation/script.ts';
import { type Take, TakePlayer } from './play.ts';
import type { Evidence } from './score.ts';
import { callerTurns, type Engines, speakLanguage, WORD_DELAY_MS, withScriptedService } from './service.ts';

const APART_MS = 700;
const TIMER_MS = 10;
/** A caller without an answer calls again. */
const REDIAL_MS = 3_000;
const MOST_REFUSALS = 10;

export interface Plan {
  scenario: Scenario;
  seed: number;
}

interface Played {
  takes: Take[];
  callerLateMs: number;
  /** Calls that the service had no room for; their callers called again. */
  refusals: number;
  /** Requests to a recogniser of whole sentences; null for others. */
  recogniserRequests: number | null;
  /** The evidence for judging a take, by the caller's number. */
  evidence(take: Take): Evidence;
}

/** Plays takes against a service of their own, `calls` at a time. `language`: the agent's, BCP 47. */
export async function playAll(
  engines: Engines,
  plans: readonly Plan[],
  calls: number,
  language = 'en-US',
): Promise<Played> {
  return withScriptedService(engines, async (scripted) => {
    await speakLanguage(scripted, language);
    const waiting = plans.map(({ scenario, seed }, serial) => new TakePlayer(scenario, seed, serial, scripted));
    for (const player of waiting) await player.prepare();
    const takes: Take[] = [];
    let refusals = 0;
    const playSome = async (index: number): Promise<void> => {
      // Calls that begin together would measure the beginning of many calls.
      await pause(index * APART_MS);
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const take = await next.play();
        // A service that takes nobody for this long takes nobody at all.
        if (take.wasRefused && refusals < MOST_REFUSALS * plans.length) {
          refusals++;
          waiting.push(next);
          await pause(REDIAL_MS);
          continue;
        }
        takes.push(take);
        process.stderr.write(`\r${engines} engines: ${takes.length} of ${plans.length} takes `);
      }
    };
    const delay = monitorEventLoopDelay({ resolution: TIMER_MS });
    delay.enable();
    await Promise.all(Array.from({ length: calls }, (_, index) => playSome(index)));
    delay.disable();
    process.stderr.write('\n');
    const turns = await callerTurns(scripted);
    const [speech, requests] = [scripted.folder.speech(), scripted.folder.requests()];
    const script = plans.flatMap(({ scenario }) => scenario.replies.map(({ say }) => say));
    const { greeting } = scripted;
    return {
      takes,
      refusals,
      callerLateMs: Math.max(0, Math.round(delay.percentile(99) / 1e6 - TIMER_MS)),
      recogniserRequests: scripted.asked?.() ?? null,
      evidence: ({ number }) => ({
        speech,
        script: [greeting, PROMPT, ...script],
        greeting,
        heardTurns: engines === 'built-in' ? null : (turns.get(number) ?? []),
        requests: requests.filter((each) => each.number === number),
        wordDelayMs: WORD_DELAY_MS[engines] ?? null,
      }),
    };
  });
}
