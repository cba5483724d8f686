// `npm run caller -- scenario FILE SIP-ADDRESS`: one take of a scenario against an operator's own agent. The agent's
// words are not known, so pauses are judged only by their length.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseTarget } from '../../engine/test-runs/caller/sip.ts';
import { readScenario } from '../rig/conversation/scenario-file.ts';
import { ScriptFolder } from '../rig/conversation/script.ts';
import { type PlayedCue, type Take, TakePlayer } from './play.ts';

const USAGE = `usage: npm run caller -- scenario FILE SIP-ADDRESS [--seed N]
  FILE         a scenario such as bench/rig/scenarios/interruption.yaml
  SIP-ADDRESS  e.g. sip:demo@127.0.0.1:5060
  --seed N     chooses voice, waits and noise (default 1)`;

/** Longer than any silence between words. */
const PAUSE_MS = 350;
const YIELD_WITHIN_MS = 2_500;

/** @returns the exit code: 1 for a failed expectation, 2 if the take could not be played */
export async function judgeOwnAgent(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { seed: { type: 'string' } } });
    const [file, address] = positionals;
    const seed = Number(values.seed ?? 1);
    if (file === undefined || address === undefined || !Number.isInteger(seed))
      throw new Error('what is to be played?');
    const lines = await playOwn(file, address, seed);
    process.stdout.write(`${lines.map(({ text }) => text).join('\n')}\n`);
    return lines.every(({ isGood }) => isGood) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
    return 2;
  }
}

interface Line {
  text: string;
  isGood: boolean;
}

async function playOwn(file: string, address: string, seed: number): Promise<Line[]> {
  const scenario = readScenario(file);
  const path = mkdtempSync(join(tmpdir(), 'scenario-'));
  try {
    const stage = { target: parseTarget(address), folder: new ScriptFolder(path), greeting: '', outbound: null };
    const player = new TakePlayer(scenario, seed, seed, stage);
    await player.prepare();
    return judge(await player.play());
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** One line for each action of the caller. */
function judge(take: Take): Line[] {
  const lines = take.cues.map((played): Line => {
    const { action } = played.cue;
    const what = action.kind === 'say' ? `"${action.text}"` : action.kind === 'sound' ? action.sound : action.kind;
    const verdict = verdictOf(take, played);
    const at = ((played.startMs - take.answeredAtMs) / 1_000).toFixed(2).padStart(7);
    return { text: `${at} s  ${played.cue.role.padEnd(12)} ${what}: ${verdict.text}`, isGood: verdict.isGood };
  });
  if (take.failure !== null) lines.push({ text: `broken off: ${take.failure}`, isGood: false });
  return lines;
}

function verdictOf({ cues, frames }: Take, played: PlayedCue): Line {
  const { cue, startMs, endMs } = played;
  const sounds = frames.filter(({ isSound }) => isSound).map(({ atMs }) => atMs);
  const wasSpeaking = sounds.some((atMs) => atMs > startMs - PAUSE_MS && atMs <= startMs);
  const silentFrom = (fromMs: number, untilMs: number): number | null => {
    const times = [...sounds.filter((atMs) => atMs >= fromMs && atMs <= untilMs), untilMs];
    const before = times.find((atMs, index) => (times[index + 1] ?? atMs) - atMs > PAUSE_MS);
    return before ?? null;
  };
  switch (cue.role) {
    case 'turn': {
      const answer = sounds.find((atMs) => atMs >= endMs);
      return answer === undefined
        ? { text: 'not answered', isGood: false }
        : { text: `answered after ${Math.round(answer - endMs)} ms`, isGood: true };
    }
    case 'unfinished': {
      const next = cues[cues.indexOf(played) + 1];
      const cut = sounds.find((atMs) => atMs >= startMs && atMs < (next?.endMs ?? endMs));
      return cut === undefined || wasSpeaking
        ? { text: 'not cut off', isGood: true }
        : { text: `cut off ${Math.round(cut - endMs)} ms after its end`, isGood: false };
    }
    case 'interruption': {
      const atMs = wasSpeaking ? silentFrom(startMs, startMs + YIELD_WITHIN_MS) : null;
      return atMs === null
        ? { text: wasSpeaking ? 'the agent spoke on' : 'the agent was not speaking', isGood: false }
        : { text: `the agent was silent after ${Math.round(atMs - startMs)} ms`, isGood: true };
    }
    case 'aside': {
      const atMs = wasSpeaking ? silentFrom(startMs, endMs + PAUSE_MS * 3) : null;
      return atMs === null
        ? { text: wasSpeaking ? 'the agent went on' : 'the agent was not speaking', isGood: true }
        : { text: `the agent paused after ${Math.round(atMs - startMs)} ms, or had finished`, isGood: false };
    }
  }
}
