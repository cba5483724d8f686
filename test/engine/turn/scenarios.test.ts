// The scenarios of the conversation bench through the turn machine alone, in virtual time: what its decisions make of
// them, without a line, a recogniser's errors or a busy machine.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readScenarios, type Scenario } from '../../../bench/rig/conversation/scenario-file.ts';
import { type PlayedCue, ScenarioStage } from './scenario-stage.ts';

const SEEDS = [0, 1, 2, 3];
const YIELD_MS = 1_000;
const ASIDE_TAIL_MS = 1_000;

/** Decided outside the machine: by the network, or by the dialogue. */
function isPlayable(scenario: Scenario): boolean {
  const hasStall = scenario.cues.some(({ action }) => action.kind === 'stall');
  const hasLine = scenario.lossPercent > 0 || scenario.jitterMs > 0;
  return scenario.direction === 'inbound' && scenario.refusals === 0 && !hasStall && !hasLine;
}

/** The scene's deviations from the scenario, in words; empty when all is well. */
function faults(scenario: Scenario, stage: ScenarioStage): string[] {
  const found: string[] = [];
  if (stage.cues.length < scenario.cues.length) found.push(`only ${stage.cues.length} cues could be played`);
  const turns = [...stage.turns.values()];
  if (JSON.stringify(turns) !== JSON.stringify(scenario.expectedTurns)) found.push(`turns: ${JSON.stringify(turns)}`);
  for (const [index, played] of stage.cues.entries()) found.push(...cueFaults(stage, played, stage.cues[index + 1]));
  const prompts = stage.of('want-reply').filter(({ effect }) => effect.cause.kind === 'idle').length;
  if (scenario.silenceMs > 0 && prompts < scenario.expectedPrompts) found.push(`${prompts} prompts`);
  if (scenario.echo !== null || scenario.background !== null) found.push(...interruptionsOf(stage));
  return found;
}

function cueFaults(stage: ScenarioStage, { cue, startMs, endMs }: PlayedCue, next: PlayedCue | undefined): string[] {
  const what = `${cue.action.kind} at ${startMs}`;
  const speaksAt = stage.agent.some((span) => span.startMs < startMs && span.endMs >= startMs);
  switch (cue.role) {
    case 'unfinished': {
      const untilMs = next?.endMs ?? endMs;
      return stage.agent.some((span) => span.startMs >= startMs && span.startMs < untilMs) ? [`${what}: cut off`] : [];
    }
    case 'aside': {
      const isIn = ({ atMs }: { atMs: number }): boolean => atMs >= startMs && atMs <= endMs + ASIDE_TAIL_MS;
      if (!speaksAt) return [];
      const stops = stage.of('flush-playout').some((each) => isIn(each) && each.effect.interrupted);
      const pauses = stage.of('pause-playout').some(isIn);
      return stops ? [`${what}: stopped the agent`] : pauses ? [`${what}: paused the agent`] : [];
    }
    case 'interruption': {
      const flush = stage.of('flush-playout').find(({ atMs }) => atMs >= startMs);
      return flush && flush.atMs - startMs <= YIELD_MS ? [] : [`${what}: no yield`];
    }
    case 'turn':
      return stage.agent.some((span) => span.startMs >= endMs) ? [] : [`${what}: no answer`];
  }
}

function interruptionsOf(stage: ScenarioStage): string[] {
  const count = stage.of('pause-playout').length;
  return count === 0 ? [] : [`${count} pauses by noise or echo`];
}

for (const scenario of readScenarios().filter(isPlayable)) {
  test(`scenario ${scenario.name}: ${scenario.about}`, () => {
    const found = SEEDS.flatMap((seed) =>
      faults(scenario, new ScenarioStage(scenario, seed).run()).map((fault) => `seed ${seed}: ${fault}`),
    );
    assert.deepEqual(found, []);
  });
}
